# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *


class PyRegpressLint(PythonPackage):
    """Static linter for register pressure and occupancy in HIP, CUDA, SYCL and OpenCL kernels: no build, no SDK, no GPU."""

    homepage = "https://regpress-lint.readthedocs.io/"
    pypi = "regpress-lint/regpress_lint-0.1.0.tar.gz"

    license("Apache-2.0")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("libclang", default=True, description="Types and constants of headers, by libclang")
    variant("lsp", default=False, description="The language server")

    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-hatchling", type="build")
    depends_on("py-tree-sitter@0.25:0.26", type=("build", "run"))
    depends_on("py-tree-sitter-cpp@0.23.4:0.23", type=("build", "run"))
    with when("+libclang"):
        depends_on("py-libclang@16:", type=("build", "run"))
    with when("+lsp"):
        depends_on("py-pygls@2.1:2", type=("build", "run"))

    import_modules = ["regpress_lint", "regpress_lint.cli", "regpress_rules"]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """The program runs, and says what it is made of."""
        program = Executable(self.prefix.bin.join("regpress-lint"))
        said = program("--version", "--verbose", output=str)
        if self.spec.satisfies("~libclang"):
            assert "not installed" in said
        program("occupancy", "--arch", "gfx90a", "--registers", "102", "--block", "256")
