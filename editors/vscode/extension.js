// Starts `regpress-lint server` and hands it what VS Code knows. Everything that is shown comes from the server.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

const SECTION = "regpress-lint";
const SOURCES = "**/*.{c,cc,cl,clh,cpp,cu,cuh,cxx,h,hh,hip,hpp,hxx,inl,ipp,ocl,opencl,sycl,tpp}";
let client;

function make() {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const [command, ...args] = settings.get("command");
  const server = { command, args, transport: TransportKind.stdio };
  return new LanguageClient(SECTION, SECTION, server, {
    documentSelector: [{ pattern: SOURCES }, { scheme: "untitled", language: "cpp" }],
    initializationOptions: Object.fromEntries(
      ["codeLens", "inlayHints", "firstAnswers"].map((name) => [name, settings.get(name)]),
    ),
    synchronize: { configurationSection: SECTION },
  });
}

async function restart() {
  if (client) await client.stop();
  client = make();
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `regpress-lint could not be started (${error.message}); pip install 'regpress-lint[lsp] @ git+URL'`,
    );
  }
}

async function showPressure() {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) return;
  await vscode.commands.executeCommand("regpress-lint.pressure", editor.document.uri.toString());
}

async function sweep() {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) return;
  const named = await vscode.window.showInputBox({
    title: "Sweep: NAME=VALUE,VALUE; several of them, separated by spaces, make a grid",
    value: "block=64,128,256,512,1024",
  });
  if (!named) return;
  const axes = named.trim().split(/\s+/);
  await vscode.commands.executeCommand("regpress-lint.sweep", editor.document.uri.toString(), null, ...axes);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("regpress-lint.restart", restart),
    vscode.commands.registerCommand("regpress-lint.showPressure", showPressure),
    vscode.commands.registerCommand("regpress-lint.showSweep", sweep),
  );
  await restart();
}

async function deactivate() {
  if (client) await client.stop();
}

module.exports = { activate, deactivate };
