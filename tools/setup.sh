# Sourced by ./quickstart and ./test: installs what is missing, configures and builds.
# Everything goes to build/; nothing is installed but Debian packages.
#
#   install_packages search train      # groups of tools/packages.txt

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

packages_of() {  # GROUP... -> names, one a line
  awk -v groups=" $* " '
    /^# \[/ { group = substr($2, 2, length($2) - 2); next }
    { sub(/#.*/, "") }
    NF && index(groups, " " group " ") { print $1 }' tools/packages.txt
}

install_packages() {  # GROUP...
  local wanted missing=()
  wanted=$(packages_of "$@")
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is not a Debian or Ubuntu system, so nothing is installed for you."
    say "Lodestar needs a C++20 compiler, CMake ≥ 3.22, Ninja and these libraries:"
    echo "$wanted" | tr '\n' ' ' >&2
    echo >&2
    return 0
  fi
  local name
  for name in $wanted; do
    # A program of that name from elsewhere will do: Node.js's own packages bring npm, and Debian's
    # npm would not go beside them.
    command -v "$name" >/dev/null && continue
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "These packages are missing and this user cannot install them; ask for:"
      say "  apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=500 "${missing[@]}" >/dev/null
}

# The sources of a folder are compiled as one, which takes a third of the time for a whole build. Who changes
# a file and builds again is better off without: UNITY=OFF ./test
# ccache takes precompiled headers from its cache only if told to.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
build() {  # build PRESET "TARGET …" [cmake arguments]
  local preset=$1 targets=()
  read -ra targets <<<"$2"
  shift 2
  cmake --preset "$preset" -DCMAKE_UNITY_BUILD="${UNITY:-ON}" -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
    "$@" >/dev/null
  cmake --build --preset "$preset" --target "${targets[@]}"
}
