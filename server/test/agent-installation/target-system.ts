import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { openTemporaryFolder } from '../world/temporary-folder.ts'

const run = promisify(execFile)

export const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/**
 * Stands in for the agent. It enrols the computer, except with a token that begins with `wrong`. With one that begins with `lost`,
 * the answer of the server is lost.
 */
const agentScript = (name: string) => `
if [ "$1" = --version ]; then echo ${name}; exit; fi
mkdir -p "$MUSTER_AGENT_STATE/journal"
case "$MUSTER_AGENT_TOKEN" in
  wrong*) exit 1 ;;
  lost*) touch "$MUSTER_AGENT_STATE/identity.json"; exit 1 ;;
esac
echo "${name}: $@" >> "$MUSTER_INSTALL_ROOT/enrolled"`

/** An archive of the agent with this name, or with another script in its place. */
export async function agentArchive(name: string, script = agentScript(name)): Promise<Buffer> {
  const tree = await openTemporaryFolder()
  await putScript(join(tree, 'usr/lib/muster-agent/muster-agent'), script)
  await putScript(join(tree, 'usr/lib/muster-agent/setup'), 'echo done > "$MUSTER_INSTALL_ROOT/set-up"')
  await run('tar', ['-czf', `${tree}.tar.gz`, '-C', tree, '.'])
  return readFile(`${tree}.tar.gz`)
}

async function putScript(path: string, script: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
}

/** Runs a command on a system that is a folder, with these programs before the others, and these files. */
export async function runOnSystem(
  command: string,
  programs: Record<string, string> = {},
  existing: readonly string[] = [],
) {
  const root = await openTemporaryFolder()
  await mkdir(join(root, 'usr/lib'), { recursive: true })
  for (const [name, script] of Object.entries({ sudo: 'exec "$@"', id: 'echo 0', ...programs }))
    await putScript(join(root, 'bin', name), script)
  for (const path of existing) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), '')
  }
  const env = { PATH: `${root}/bin:${process.env.PATH}`, MUSTER_INSTALL_ROOT: root }
  const outcome = await run('sh', ['-c', command], { env }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
  )
  const entries = await readdir(root, { recursive: true })
  return {
    ...outcome,
    /** All files and folders of the system but the programs above. */
    files: entries.filter((path) => !/^bin\b|^(usr|var)(\/lib)?$/.test(path)).sort(),
    left: (name: string) => readFile(join(root, name), 'utf8').catch(() => undefined),
  }
}

/** An address at which the service answers, unless the test answers in its place. */
export async function openProxy(
  origin: string,
  answer: (path: string) => { status: number; content?: Buffer } | undefined,
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const replaced = answer(incoming.url ?? '')
    if (replaced) return void outgoing.writeHead(replaced.status).end(replaced.content)
    // The service builds addresses of the host in the request, which is the one of this server.
    const options = { method: incoming.method ?? 'GET', headers: incoming.headers }
    const forwarded = sendRequest(new URL(incoming.url ?? '/', origin), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
