import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { agentProgram } from './agent-bundle.ts'
import { openWorld, type World } from './world.ts'

const run = promisify(execFile)
const launcher = join(import.meta.dirname, '../install/muster-agent.sh')

/** A version of the agent that is this code, or that does something else when it runs. */
const versionScript = (version: string, whenRun: string) => `#!/bin/sh
if [ "$1" = --version ]; then echo ${version}; exit; fi
if [ "$1" = run ]; then echo ${version} >> "$ROOT/started"; ${whenRun}; fi
exec "${process.execPath}" "${agentProgram}" "$@"
`

const update = { argv: ['muster-agent', 'self-update', '.'] }

type UpdateChanges = { content?: Buffer; install?: { shell: string } | typeof update }

/**
 * An agent that is installed with its launcher, and a service manager that starts it whenever it has ended. Versions are
 * scripts in place of single executables.
 */
export async function openInstallation() {
  const world = await openWorld()
  const { root, state, environment } = world
  const bin = join(root, 'usr/bin')
  await put(join(root, 'usr/lib/muster-agent/muster-agent'), versionScript('0.1.0', 'echo $$ > "$ROOT/agent.pid"'))
  await mkdir(bin)
  await copyFile(launcher, join(bin, 'muster-agent'))
  Object.assign(environment, { MUSTER_AGENT_STATE: state, PATH: `${bin}:${environment.PATH}` })

  return {
    ...world,
    versions: join(state, 'versions'),
    service: () => startService(world),
    /** The agent as an administrator calls it. */
    command: async (...args: string[]) => (await run('muster-agent', args, { env: environment })).stdout.trim(),
    /** Gives the work of the package that updates the agent. */
    async giveUpdate(version: string, whenRun = ':', { content, install = update }: UpdateChanges = {}) {
      const files = {
        [`muster-agent-linux-${process.arch}.tar.gz`]:
          content ?? (await archive(join(root, version), version, whenRun)),
      }
      const detect = { shell: 'test "$(muster-agent --version)" = "$MUSTER_PACKAGE_VERSION"' }
      return world.server.give({ files, package: { version }, commands: { install, detect } })
    },
  }
}

/** Starts the agent whenever it has ended, and notes the exit codes. */
const serviceManager = `
while ! test -e "$ROOT/stop"; do
  muster-agent run &
  echo $! > "$ROOT/launcher.pid"
  wait $!
  echo $? >> "$ROOT/codes"
  sleep 0.05
done`

function startService({ root, inShell, left }: World) {
  const running = inShell(serviceManager)
  return {
    ...running,
    /** Asks the agent to end, and waits until it has. */
    async stop() {
      await writeFile(join(root, 'stop'), '')
      // Again, because the manager may just have started another process.
      const timer = setInterval(() => terminate(left('launcher.pid')), 100)
      await running.ended.finally(() => clearInterval(timer))
      await rm(join(root, 'stop'))
    },
  }
}

function terminate(pid: string | undefined): void {
  try {
    process.kill(Number(pid), 'SIGTERM')
  } catch {
    // It has ended.
  }
}

async function archive(folder: string, version: string, whenRun: string): Promise<Buffer> {
  await put(join(folder, 'usr/lib/muster-agent/muster-agent'), versionScript(version, whenRun))
  await run('tar', ['-czf', `${folder}.tar.gz`, '-C', folder, '.'])
  return readFile(`${folder}.tar.gz`)
}

async function put(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, script)
  await chmod(path, 0o755)
}
