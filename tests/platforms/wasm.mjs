// Runs count_table.py on Python for WebAssembly: node wasm.mjs KERNELS PYODIDE, two folders.
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [kernels, pyodide] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: pyodide });
const home = "/home/pyodide/";
python.FS.mkdirTree(home + "agreement_fast/_kernels");
for (const name of readdirSync(kernels).filter((file) => file.endsWith(".so")))
  python.FS.writeFile(home + "agreement_fast/_kernels/" + name, readFileSync(join(kernels, name)));
python.FS.writeFile(home + "agreement_fast/_kernels/__init__.py", "");
python.FS.writeFile(home + "agreement_fast/__init__.py", "");
python.FS.writeFile(home + "count_table.py", readFileSync(new URL("count_table.py", import.meta.url)));
python.runPython("import sys; sys.path.insert(0, '" + home + "'); import count_table; count_table.main()");
