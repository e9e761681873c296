/** Every public method of the client is called by a test against a real server: by the compiler's word, so none is forgotten. */
import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const TESTS = dirname(fileURLToPath(import.meta.url));
const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
const INTERNAL = new Set(["Http", "Follower", "Listeners", "Ending", "EventParser", "BelljarError", "Problem"]);

/** `Class.method` of what a call calls; the class is the one that declares it. */
function calledBy(node: ts.Node, checker: ts.TypeChecker, found: Set<string>): Set<string> {
  if (ts.isCallExpression(node)) {
    const declared = checker.getResolvedSignature(node)?.declaration;
    if (declared !== undefined && ts.isMethodDeclaration(declared)) found.add(nameOf(declared));
  }
  // What ends a block ends what the block holds.
  if (ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing)
    for (const { name } of node.declarations)
      for (const { valueDeclaration: declared } of checker.getTypeAtLocation(name).getProperties()) if (declared !== undefined && ts.isMethodDeclaration(declared) && isDispose(declared)) found.add(nameOf(declared));
  ts.forEachChild(node, (child) => void calledBy(child, checker, found));
  return found;
}

const isDispose = (method: ts.MethodDeclaration) => method.name.getText() === "[Symbol.asyncDispose]";
const nameOf = (method: ts.MethodDeclaration) => `${(method.parent as ts.ClassDeclaration).name?.text}.${method.name.getText()}`;

test("no public method is without a test that calls it on a real server", { timeout: 120_000 }, () => {
  const tests = globSync(`${TESTS}/*.test.ts`);
  const read = ts.readConfigFile(`${TESTS}/tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, TESTS);
  const program = ts.createProgram(tests, { ...options, skipLibCheck: true });
  const checker = program.getTypeChecker();

  const methods = new Map<string, ts.MethodDeclaration>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => dirname(fileName) === SOURCES))
    for (const statement of file.statements)
      if (ts.isClassDeclaration(statement) && !INTERNAL.has(statement.name?.text ?? ""))
        for (const member of statement.members) if (ts.isMethodDeclaration(member) && !ts.isPrivateIdentifier(member.name)) methods.set(nameOf(member), member);
  expect(methods.size).toBeGreaterThan(250);

  const called = new Set<string>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => tests.includes(fileName))) {
    // What answers there is no server of ours, and this looks at types alone.
    if (/from "\.\/strange\.ts"/.test(file.text) || ["types.test.ts", basename(import.meta.url)].includes(basename(file.fileName))) continue;
    calledBy(file, checker, called);
  }
  // What they call in turn: a flat name goes by way of its area's.
  for (const name of called) {
    const body = methods.get(name)?.body;
    if (body !== undefined) calledBy(body, checker, called);
  }
  expect([...methods.keys()].filter((name) => !called.has(name)).sort()).toEqual([]);
});
