#!/bin/sh
# Compiles the kernels for WebAssembly with Emscripten: sh wasm.sh PYTHON FOLDER
set -eu
python=$1
folder=$2
mkdir -p "$folder/kernels" "$folder/include"
# The stable interface of Python 3.11, whose header describes this machine: there, a word has four bytes.
cp -r "$("$python" -c "import sysconfig; print(sysconfig.get_paths()['include'])")/." "$folder/include"
config=$(find "$folder/include" -name pyconfig.h | head -n 1)
sed -i -E 's/^#define (SIZEOF_(LONG|SIZE_T|UINTPTR_T|VOID_P|PTHREAD_T)|ALIGNOF_(LONG|SIZE_T)) 8/#define \1 4/' "$config"
"$python" src/transpile.py "$folder/sources" src/*.pyx -- \
  -X language_level=3,cdivision=True,wraparound=False,auto_pickle=False -X boundscheck=False,initializedcheck=False
for source in "$folder"/sources/*.c; do
  name=$(basename "$source" .c)
  emcc -O2 -DNDEBUG -DPy_LIMITED_API=0x030B0000 -ffp-contract=off -I"$folder/include" -Isrc \
    -sSIDE_MODULE=1 -sWASM_BIGINT=1 "$source" -o "$folder/kernels/$name.abi3.so"
done
