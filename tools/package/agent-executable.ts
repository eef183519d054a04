import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { inject } from 'postject'
import { withoutDebugSections } from './agent-elf.ts'
import { type Architecture, nodeProgram } from './agent-node.ts'
import { run } from './run.ts'

/** How Node recognises a program that contains an application. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Makes a program for Linux of Node and a script: Node's single executable application. */
export async function buildExecutable(
  script: string,
  architecture: Architecture,
  target: string,
  execArgv: readonly string[] = agentOptions,
): Promise<void> {
  const configuration = `${target}.json`
  const blob = `${target}.blob`
  try {
    await writeFile(
      configuration,
      JSON.stringify({
        // Relative, because the program contains this name: builds in different folders give the same program.
        main: basename(script),
        output: blob,
        disableExperimentalSEAWarning: true,
        // A code cache of V8 differs from build to build, and saves less than 0.01 s of a start.
        useCodeCache: false,
        execArgv,
        // No variable of the environment and no argument changes how Node runs.
        execArgvExtension: 'none',
      }),
    )
    await run(process.execPath, ['--experimental-sea-config', configuration], { cwd: dirname(script) })
    await writeFile(target, withoutDebugSections(await nodeProgram(architecture)))
    await inject(target, 'NODE_SEA_BLOB', await readFile(blob), { sentinelFuse: fuse })
    await chmod(target, 0o755)
  } finally {
    await Promise.all([configuration, blob].map((file) => rm(file, { force: true })))
  }
}

/**
 * The agent mostly waits: it should be small rather than fast. It collects garbage before each long pause. Without the
 * optimising compilers, 8 MB of their code are not read into memory, and nothing that the agent does runs long enough to
 * gain from them. One thread beside the main one is enough for V8.
 */
const agentOptions = ['--expose-gc', '--max-semi-space-size=1', '--no-opt', '--no-maglev', '--v8-pool-size=1']
