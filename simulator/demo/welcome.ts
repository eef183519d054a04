import type { Kept } from './folder.ts'

/** Says where everything is. Nothing is opened by itself. */
export async function printWelcome(address: string, token: string, kept: Kept, folder: string): Promise<void> {
  const pages = (await hasPages(address)) ? `\n  pages           ${address}/` : ''
  const { clientId, clientSecret } = kept.caller ?? kept.administrator
  console.log(`
Ready after ${(performance.now() / 1000).toFixed(1)} s: a Muster with ${kept.computers} computers, which go on until Ctrl-C.
${pages}
  API             ${address}/api
  reference       ${address}/scalar/v1
  OpenAPI         ${address}/openapi/v1.json
  client id       ${clientId}
  client secret   ${clientSecret}
  data            ${folder}

A first look, with a token for a day:

TOKEN=${token}
curl -s -H "Authorization: Bearer $TOKEN" '${address}/api/computer/issues/overview?top=5'
`)
}

async function hasPages(address: string): Promise<boolean> {
  const answer = await fetch(`${address}/`, { headers: { accept: 'text/html' } }).catch(() => undefined)
  return answer?.ok === true && /html/.test(answer.headers.get('content-type') ?? '')
}
