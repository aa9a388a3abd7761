"""stub"""
from __future__ import annotations
def compile_intel(path, target, version, folder): return []
def intel_version(): return None
