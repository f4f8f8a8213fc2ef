# Sets up what Motionwright needs, once: sourced by ./run and ./test from the project's folder.
#
# prepare_python LOCK   a virtual environment in .venv with exactly the packages of the lock file
# prepare_system        the system libraries that Qt and OpenGL load, and a virtual screen for the tests

say() { printf '%s\n' "$*" >&2; }

# What must be loadable, and the Debian package that brings it.
system_needs="
libglib-2.0.so.0=libglib2.0-0 libGL.so.1=libgl1 libEGL.so.1=libegl1 libxkbcommon.so.0=libxkbcommon0
libfreetype.so.6=libfreetype6 libfontconfig.so.1=libfontconfig1 libdbus-1.so.3=libdbus-1-3
libxcb-cursor.so.0=libxcb-cursor0 libxcb-icccm.so.4=libxcb-icccm4 libxcb-keysyms.so.1=libxcb-keysyms1
libxcb-shape.so.0=libxcb-shape0 libxcb-xkb.so.1=libxcb-xkb1 libxkbcommon-x11.so.0=libxkbcommon-x11-0
Xvfb=xvfb xauth=xauth
"

# Run a command as root where that is possible without asking anybody.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Install Debian packages, or say how to.
install_packages() {
    local command="apt-get install -y --no-install-recommends $*"
    if command -v apt-get >/dev/null && as_root true 2>/dev/null; then
        say "Installing system packages: $*"
        if as_root env DEBIAN_FRONTEND=noninteractive sh -c "(apt-get update -q && $command -q) >/dev/null"; then
            return 0
        fi
    fi
    say "These system packages are missing. Please run:"
    say "    sudo $command"
    return 1
}

prepare_system() {
    local libraries need found missing=""
    if [ "$(uname -s)" != Linux ]; then return 0; fi
    libraries=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)
    for need in $system_needs; do
        case "${need%%=*}" in
            *.so.*) case "$libraries" in *"${need%%=*} "*) found=yes ;; *) found="" ;; esac ;;
            *) found=$(command -v "${need%%=*}" || true) ;;
        esac
        if [ -z "$found" ]; then missing="$missing ${need#*=}"; fi
    done
    if [ -z "$missing" ]; then return 0; fi
    # shellcheck disable=SC2086
    install_packages $missing || say "Going on without them: windows may not open."
}

find_python() {
    local candidate
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$candidate"
            return 0
        fi
    done
    say "Motionwright needs Python 3.11 or newer; none was found."
    return 1
}

prepare_python() {
    local lock=$1 stamp=.venv/.installed wanted python
    wanted="$lock $(cat "$lock" pyproject.toml | sha256sum)"
    if grep -qsxF "$wanted" "$stamp" && [ -x .venv/bin/motionwright ] && .venv/bin/motionwright --version >/dev/null 2>&1; then
        return 0
    fi
    prepare_system
    python=$(find_python) || return 1
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        say "Setting up Python packages in .venv (a minute or two, once) …"
        "$python" -c 'import ensurepip' 2>/dev/null || install_packages python3-venv || return 1
        "$python" -m venv --clear .venv
    fi
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$lock"
    # Built by the setuptools of the lock, not by whatever is newest today.
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
    # Compiled once here, so that no start has to, even where Python may not write beside the sources.
    .venv/bin/python -m compileall -q app editor model resources widgets motionwright.py
    # The test packages include those to run with: both locks hold until either changes.
    { grep -svF "$lock " "$stamp" || true; printf '%s\n' "$wanted"; } >"$stamp.new"
    mv "$stamp.new" "$stamp"
}
