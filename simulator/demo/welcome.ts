import { print } from '@muster/text/print'
import { apiOf } from './api.ts'
import type { DemoFile } from './folder.ts'
import { brokenPackage, withheldPackage } from './packages.ts'
import { pausedRollout } from './rollouts.ts'
import { findSignInLink } from './sign-in-link.ts'

type Welcome = { address: string; token: string; demo: DemoFile; folder: string }

/** Prints where everything is. The demo does not open a browser. */
export async function printWelcome({ address, token, demo, folder }: Welcome): Promise<void> {
  const { clientId, clientSecret } = demo.caller ?? demo.administrator
  const consoleAddress = await findConsole(address)
  const link = consoleAddress && (await findSignInLink(address, folder, clientId))
  print(`
Ready after ${(performance.now() / 1000).toFixed(1)} s: a Muster service with ${demo.computers} computers. Press Ctrl-C to stop.

  Console         ${consoleAddress ?? 'not built (npm run build)'}
  API             ${address}/api
  Reference       ${address}/scalar/v1
  OpenAPI         ${address}/openapi/v1.json
  Agent           ${await describeAgent(address)}
  Client ID       ${clientId}
  Client secret   ${clientSecret}
  Data            ${folder}

Or use the API, with a token that is valid for a day. List computers with issues:

TOKEN=${token}
curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/computer/issues/overview?top=5'

See what happens, as it happens:

curl -sN -H "Authorization: Bearer $TOKEN" '${address}/api/events/stream'
`)
  if (!consoleAddress) return
  print(`Things to try in the console:

${await describeThingsToTry(address, token)}
`)
  print(
    link
      ? `This link signs in. It works once, for ten minutes, on this machine:\n\n  ${link}\n`
      : `Open ${consoleAddress} and sign in with the client ID and secret.\n`,
  )
}

/** Returns the address of the console, or undefined if the service has no built console. */
export async function findConsole(address: string): Promise<string | undefined> {
  const url = `${address}/`
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok && answer.headers.get('content-type')?.startsWith('text/html') ? url : undefined
}

/** The page of the tokens shows the command that installs the agent, once the service has its package. */
async function describeAgent(address: string): Promise<string> {
  const { ok } = await fetch(`${address}/install/linux.sh`)
  const command = 'the command that installs it on a real computer'
  return ok
    ? `${address}/admin/enrolment shows ${command}`
    : `not built (npm run package -- agent, then start the demo again for ${command})`
}

async function describeThingsToTry(address: string, token: string): Promise<string> {
  const api = apiOf(address, token)
  const packages = await api.get<{ items: { id: string; name: string }[] }>('/api/packages?top=200')
  const rollouts = await api.get<{ items: { rolloutId: string; name: string }[] }>('/api/rollouts')
  const packageAddress = (wanted: string) =>
    `${address}/packages/${packages.items.find(({ name }) => name === wanted)?.id ?? ''}`
  const rolloutId = rollouts.items.find(({ name }) => name === pausedRollout)?.rolloutId ?? ''
  return [
    [`See why ${brokenPackage} fails, on which computers`, packageAddress(brokenPackage)],
    [`Release ${withheldPackage}, and watch its computers install it`, packageAddress(withheldPackage)],
    ['Decide about the rollout that paused itself after failures', `${address}/rollouts/${rolloutId}`],
    ['Drop an installer, or review the one that waits there, and make a package of it', `${address}/packages`],
  ]
    .map(([what, where], at) => `  ${at + 1}. ${what}:\n     ${where}`)
    .join('\n')
}
