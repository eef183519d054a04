import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from '@muster/text/print'
import type { Platform } from '../platform/platform.ts'
import { servePage } from '../self-service/page-server.ts'
import { type AgentConnection, connectToAgent } from '../user-channel/connect.ts'

/** Serves the self-service page of the user who runs this, and opens it in the browser. Ends when nobody uses the page. */
export async function openPage(
  platform: Platform,
  stateFolder: string,
  { hasBrowser }: { hasBrowser: boolean },
): Promise<void> {
  let connection = await connectToAgent(platform, stateFolder)
  // The agent restarts now and then, for example to update itself.
  const agent = async (): Promise<AgentConnection> => {
    if (!connection.isOpen()) connection = await connectToAgent(platform, stateFolder)
    return connection
  }
  const page = await servePage(agent)
  const redirect = await writeRedirect(page.address)
  const end = () => page.close()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    if (!hasBrowser || !(await platform.userChannel.openInBrowser(redirect.file)))
      print(`Open this address in your browser. It works once, within two minutes:\n${page.address}`)
    await page.ended
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
    page.close()
    connection.close()
    await redirect.remove()
  }
}

/** The address must not be part of a command line, which all users of the computer can see: a private file leads to it. */
async function writeRedirect(address: string): Promise<{ file: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(process.env.XDG_RUNTIME_DIR || tmpdir(), 'muster-open-'))
  const file = join(folder, 'open.html')
  const body = `<!doctype html><html lang="en"><title>Muster</title><meta http-equiv="refresh" content="0;url=${address}">\n`
  await writeFile(file, body, { mode: 0o600 })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}
