import type { DemoFile } from './folder.ts'

/** Prints where everything is. The demo does not open a browser. */
export async function printWelcome(address: string, token: string, demo: DemoFile, folder: string): Promise<void> {
  const consoleAddress = await findConsole(address)
  const { clientId, clientSecret } = demo.caller ?? demo.administrator
  console.log(`
Ready after ${(performance.now() / 1000).toFixed(1)} s: a Muster service with ${demo.computers} computers. Press Ctrl-C to stop.

  Console         ${consoleAddress ?? 'not built (npm run build)'}
  API             ${address}/api
  Reference       ${address}/scalar/v1
  OpenAPI         ${address}/openapi/v1.json
  Client ID       ${clientId}
  Client secret   ${clientSecret}
  Data            ${folder}

The client ID and secret also sign in to the console. List computers with issues, with a token that is valid for a day:

TOKEN=${token}
curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/computer/issues/overview?top=5'

See what happens, as it happens:

curl -sN -H "Authorization: Bearer $TOKEN" '${address}/api/events/stream'
`)
}

/** Returns the address of the console, or undefined if the service has no built console. */
export async function findConsole(address: string): Promise<string | undefined> {
  const url = `${address}/admin`
  const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok && answer.headers.get('content-type')?.startsWith('text/html') ? url : undefined
}
