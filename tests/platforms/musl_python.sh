#!/bin/sh
# Compiles Python for musl into a folder, from Debian's sources: sh musl_python.sh FOLDER
#
# Debian's musl has neither the headers of the kernel, which are taken from the system's, nor the name by
# which wheels know it. Warnings are those of other people's programs, so only the last lines are shown.
set -eu
root=$1
mkdir -p "$root/source" "$root/kernel" "$root/lib"
cd "$root/source"
multiarch=$(cc -print-multiarch)
ln -sfn /usr/include/linux /usr/include/asm-generic "$root/kernel/"
ln -sfn "/usr/include/$multiarch/asm" "$root/kernel/asm"
ln -sfn /lib/ld-musl-x86_64.so.1 "$root/lib/libc.musl-x86_64.so.1"
# The scripts of Python add the folders of the other library.
cat > "$root/cc" <<END
#!/bin/sh
[ "\$1" = --print-multiarch ] && { echo x86_64-linux-musl; exit; }
for argument; do
  shift
  case \$argument in -I/usr/* | -L/usr/*) ;; *) set -- "\$@" "\$argument" ;; esac
done
exec musl-gcc "\$@" -idirafter "$root/kernel"
END
chmod +x "$root/cc"
export CC="$root/cc" CPPFLAGS="-I$root/include" LDFLAGS="-L$root/lib"

sources() {
  # The mirror may lack the files of a security update; the original archive, which apt has checked, is enough.
  apt-get source -qq --download-only "$1" || true
  tar -xf "$1"_*.orig.tar.*
}
build() { "$@" > log 2>&1 || { tail -n 20 log; exit 1; }; }

sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > /etc/apt/sources.list.d/musl.sources
trap 'rm -f /etc/apt/sources.list.d/musl.sources' EXIT
apt-get update -qq
python=$(apt-cache depends python3 | sed -n 's/.*Depends: \(python3\.[0-9]*\)$/\1/p')
for name in zlib libffi "$python"; do sources "$name"; done

cd "$root"/source/zlib-*/
CFLAGS="-O2 -fPIC" build ./configure --static --prefix="$root"
build make install
cd "$root"/source/libffi-*/
build ./configure --prefix="$root" --disable-shared --with-pic --disable-docs
build make
cp "$(find . -name libffi.a | head -n 1)" "$root/lib/"
mkdir -p "$root/include"
find . -path '*-musl/include/ffi*.h' -exec cp {} "$root/include/" \;
cd "$root"/source/Python-*/
build ./configure --prefix="$root" --without-ensurepip --disable-test-modules
build make -j2 LIBFFI_INCLUDEDIR="$root/include"
build make install
