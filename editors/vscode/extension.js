// The extension: it starts `tilewright lsp` for documents and `tilewright dap` for debugging sessions.
"use strict";

const fs = require("node:fs");
const vscode = require("vscode");
const { ExecuteCommandRequest, LanguageClient, State } = require("vscode-languageclient/node");
const { LANGUAGES, commandWords, completed, initializationOptions } = require("./settings");

/** @type {LanguageClient | undefined} */
let client;

/** Return the words that start tilewright in this workspace. */
function words() {
  const folders = (vscode.workspace.workspaceFolders || []).map((folder) => folder.uri.fsPath);
  const setting = vscode.workspace.getConfiguration("tilewright").get("command");
  return commandWords(setting, folders, fs.existsSync, process.platform);
}

/** Start the language server, or say why it cannot be started. */
async function start() {
  const [command, ...first] = words();
  const configuration = vscode.workspace.getConfiguration("tilewright");
  client = new LanguageClient(
    "tilewright",
    "tilewright",
    { command, args: [...first, "lsp"] },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
      initializationOptions: initializationOptions((name) => configuration.get(name)),
    },
  );
  try {
    await client.start();
  } catch (error) {
    const shown = "Open Settings";
    const message = `tilewright cannot be started as '${[command, ...first].join(" ")}': ${error.message || error}`;
    if ((await vscode.window.showErrorMessage(message, shown)) === shown) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "tilewright.command");
    }
  }
}

/** Stop the language server, if it runs. */
async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined && running.state === State.Running) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

/** Send a command of the server with arguments, and return its result. */
async function ask(command, ...parameters) {
  if (client === undefined || client.state !== State.Running) {
    vscode.window.showWarningMessage("tilewright is not running: see the setting tilewright.command");
    return undefined;
  }
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: parameters });
}

/** Save the open program, and let the server run it; the end of the run is shown by the server. */
async function run(command, title) {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  await editor.document.save();
  const where = { location: vscode.ProgressLocation.Window, title };
  await vscode.window.withProgress(where, () => ask(command, editor.document.uri.toString()));
}

/** Let the user choose a stage of the kernel at the cursor, and open it. */
async function goToStage() {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const at = [editor.document.uri.toString(), editor.selection.active.line];
  const names = await ask("tilewright.stages", ...at);
  if (names === undefined) {
    return;
  }
  if (names.length === 0) {
    vscode.window.showInformationMessage("No kernel of the last run is at this line.");
    return;
  }
  const chosen = await vscode.window.showQuickPick(names, { placeHolder: "Stage of the compilation" });
  if (chosen !== undefined) {
    await ask("tilewright.showStage", ...at, chosen);
  }
}

/** Completes debug configurations, and starts the debug adapter. */
const debugging = {
  resolveDebugConfiguration(folder, configuration) {
    const open = vscode.window.activeTextEditor;
    const file = open === undefined ? undefined : open.document.uri.fsPath;
    const found = completed(configuration, file, folder === undefined ? undefined : folder.uri.fsPath);
    if (found === undefined) {
      vscode.window.showInformationMessage("Open the Python program that launches the kernels, or name it in launch.json.");
    }
    return found;
  },
  createDebugAdapterDescriptor(session) {
    const [command, ...first] = words();
    return new vscode.DebugAdapterExecutable(command, [...first, "dap"], { cwd: session.configuration.cwd });
  },
};

/** Start the server, and register commands and the debugger. */
async function activate(context) {
  const commands = {
    "tilewright.checkProgram": () => run("tilewright.check", "running with checks"),
    "tilewright.proveProgram": () => run("tilewright.prove", "proving accesses"),
    "tilewright.goToStage": goToStage,
    "tilewright.restart": restart,
    "tilewright.debugProgram": () =>
      vscode.debug.startDebugging(undefined, { type: "tilewright", request: "launch", name: "Debug kernels" }),
  };
  for (const [name, handler] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, handler));
  }
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider("tilewright", debugging),
    vscode.debug.registerDebugAdapterDescriptorFactory("tilewright", debugging),
    vscode.workspace.onDidChangeConfiguration((event) =>
      event.affectsConfiguration("tilewright") ? restart() : undefined,
    ),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
