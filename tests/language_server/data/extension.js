// Activates the extension with a stand-in for VS Code, and prints what it does as JSON.
"use strict";

const Module = require("node:module");
const path = require("node:path");

const [extension, workspace] = process.argv.slice(2);
const done = { commands: {}, requests: [], sessions: [], shown: [] };
const document = {
  uri: { fsPath: path.join(workspace, "race.py"), toString: () => "file:///race.py" },
  save: async () => done.shown.push("saved"),
};
const settings = { command: [], onSave: "nothing", checks: "all", checkSeconds: 300, proveSeconds: 60 };
const vscode = {
  workspace: {
    workspaceFolders: [{ uri: { fsPath: workspace } }],
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (handler) => (done.changed = handler),
  },
  window: {
    activeTextEditor: { document, selection: { active: { line: 6 } } },
    withProgress: (_, task) => task(),
    showQuickPick: async (names) => names[1],
    showInformationMessage: (text) => done.shown.push(text),
    showWarningMessage: (text) => done.shown.push(text),
    showErrorMessage: async (text) => done.shown.push(text),
  },
  commands: { registerCommand: (name, handler) => (done.commands[name] = handler) },
  debug: {
    registerDebugConfigurationProvider: (type, provider) => (done.provider = provider),
    registerDebugAdapterDescriptorFactory: (type, factory) => (done.factory = factory),
    startDebugging: (_, configuration) => done.sessions.push(configuration),
  },
  DebugAdapterExecutable: class {
    constructor(command, args, options) {
      Object.assign(this, { command, args, options });
    }
  },
  ProgressLocation: { Window: 10 },
};
class LanguageClient {
  constructor(id, name, server, options) {
    done.server = server;
    done.options = options;
  }
  async start() {
    this.state = 2;
  }
  async stop() {
    this.state = 1;
    done.shown.push("stopped");
  }
  async sendRequest(_, given) {
    done.requests.push(given);
    return given.command === "tilewright.stages" ? ["tileir", "llvm"] : undefined;
  }
}
const client = { LanguageClient, State: { Running: 2 }, ExecuteCommandRequest: { type: "execute" } };
const load = Module._load;
Module._load = (name, ...others) =>
  name === "vscode" ? vscode : name.startsWith("vscode-languageclient") ? client : load(name, ...others);

(async () => {
  const { activate, deactivate } = require(path.join(extension, "extension.js"));
  await activate({ subscriptions: [] });
  for (const name of ["checkProgram", "proveProgram", "goToStage", "debugProgram"]) {
    await done.commands[`tilewright.${name}`]();
  }
  const folder = vscode.workspace.workspaceFolders[0];
  const resolve = (configuration) => done.provider.resolveDebugConfiguration(folder, configuration);
  const configuration = resolve({});
  const adapter = done.factory.createDebugAdapterDescriptor({ configuration });
  document.uri.fsPath = path.join(workspace, "kernel.cu");
  const refused = resolve({}) === undefined;
  await deactivate();
  const { server, options, requests, sessions, shown } = done;
  const commands = Object.keys(done.commands);
  const words = { commands, server, options, requests, sessions, shown, configuration, adapter, refused };
  console.log(JSON.stringify(words));
})();
