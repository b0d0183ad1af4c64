// The settings of the extension as plain data: which command starts tilewright, and what the server is told.
"use strict";

const path = require("node:path");

/** The languages whose documents the server is asked about. */
const LANGUAGES = ["python", "cpp", "cuda-cpp", "mlir"];

/** The settings that the server gets when it starts. */
const OPTIONS = ["onSave", "checks", "checkSeconds", "proveSeconds"];

/**
 * Return the words that start tilewright: the setting `command`, or the program in an environment of one of the
 * workspace's folders, or the program on the path.
 */
function commandWords(setting, folders, exists, platform) {
  if (setting && setting.length > 0) {
    return setting;
  }
  const inside = platform === "win32" ? ["Scripts", "tilewright.exe"] : ["bin", "tilewright"];
  const candidates = folders.flatMap((folder) =>
    [".venv", "venv"].map((environment) => path.join(folder, environment, ...inside)),
  );
  const found = candidates.find(exists);
  return [found || "tilewright"];
}

/** Return the initialization options of the server. `get` returns the value of a setting. */
function initializationOptions(get) {
  return Object.fromEntries(OPTIONS.map((name) => [name, get(name)]));
}

/**
 * Return a debug configuration with what was left out. Without a program it debugs the open file, if that is Python;
 * the result is undefined for another file.
 */
function completed(configuration, openFile, folder) {
  const given = configuration.type ? configuration : { type: "tilewright", request: "launch", name: "Debug kernels" };
  const isPython = openFile !== undefined && openFile.endsWith(".py");
  if (!given.program && !given.module && !isPython) {
    return undefined;
  }
  const program = given.program || given.module ? {} : { program: openFile };
  const start = given.cwd || folder || path.dirname(given.program || openFile || ".");
  return { ...given, ...program, cwd: start };
}

module.exports = { LANGUAGES, commandWords, completed, initializationOptions };
