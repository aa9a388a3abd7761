"""Permissions of the child process: read below its roots. No writing, no running, no more memory than a large parse
takes.

Two locks, because neither is everywhere: libclang itself sees only the roots, through an overlay of its file system
that redirects nothing else (`overlay`; any platform), and on Linux 5.13 and later the kernel refuses the rest
(Landlock), links out of the project included.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys

_MEMORY = 4 << 30  # bytes of address space
# linux/landlock.h and the common system call table of Linux
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38  # PR_SET_NO_NEW_PRIVS
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1}
_RIGHTS_LATEST = (1 << 15) - 1  # version 3: truncation; later ones add devices' ioctl and what is no file


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_access_fs", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def overlay(roots: list[str]) -> str:
    """A file system for libclang in which only these folders exist (LLVM's VFS overlay, as JSON)."""
    mapped = [{"type": "directory-remap", "name": root, "external-contents": root} for root in roots]
    settings = {"version": 0, "case-sensitive": "true", "redirecting-with": "redirect-only", "roots": mapped}
    return json.dumps(settings)


def confine(roots: list[str]) -> bool:
    """Give up what is not needed; true if the kernel enforces that only files below the roots are read."""
    try:
        import resource

        for limit, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, _MEMORY)):
            _, hard = resource.getrlimit(limit)
            value = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(limit, (value, value))
    except (ImportError, OSError, ValueError):
        pass
    return sys.platform == "linux" and _landlock(roots)


def _landlock(roots: list[str]) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    if version < 1:
        return False
    ruleset = _Ruleset(_RIGHTS_BY_VERSION.get(version, _RIGHTS_LATEST))
    handle = libc.syscall(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(ctypes.sizeof(ruleset)), 0)
    if handle < 0:
        return False
    try:
        for root in roots:
            try:
                folder = os.open(root, getattr(os, "O_PATH", os.O_RDONLY) | os.O_CLOEXEC)
            except OSError:
                continue  # a folder that does not exist allows nothing
            try:
                rights = _READ_FILE | _READ_DIR if os.path.isdir(root) else _READ_FILE
                rule = _Beneath(rights, folder)
                if libc.syscall(_ADD_RULE, handle, _PATH_BENEATH, ctypes.byref(rule), 0) != 0:
                    return False
            finally:
                os.close(folder)
        if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT_SELF, handle, 0) == 0)
    finally:
        os.close(handle)
