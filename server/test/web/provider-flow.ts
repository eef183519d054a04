import type { Browser } from './browser.ts'

/** Where `app.inject` says that it is. */
export const pages = 'http://localhost'

type Jar = Map<string, string>

/** Sends a request of a browser with its cookies. */
async function visit(cookies: Jar, address: URL, form?: URLSearchParams): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const content = form && { method: 'POST', body: form }
  const response = await fetch(address, { redirect: 'manual', headers: { cookie }, ...content })
  for (const set of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    cookies.set(name, value)
  }
  return response
}

/** Follows the redirects at the provider, as a browser does with its cookies, until they lead away from it. */
export async function throughProvider(issuer: string, start: string): Promise<URL> {
  const cookies: Jar = new Map()
  let address = new URL(start)
  while (address.origin === issuer) {
    const response = await visit(cookies, address)
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    address = new URL(location, address)
  }
  return address
}

/** Enters the code of the device flow: follows the pages of the provider, until one asks for no confirmation of the code. */
export async function enterDeviceCode(start: string): Promise<void> {
  const cookies: Jar = new Map()
  let address = new URL(start)
  let form: URLSearchParams | undefined
  for (;;) {
    const response = await visit(cookies, address, form)
    const page = await response.text()
    form = readFields(page)
    const [, action] = /<form[^>]* action="([^"]*)"/.exec(page) ?? []
    const target = response.headers.get('location') ?? (form.has('user_code') ? action : undefined)
    if (target === undefined) return
    address = new URL(target, address)
    if (target !== action) form = undefined
  }
}

function readFields(page: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [, name = '', value = ''] of page.matchAll(/name="([^"]+)" value="([^"]*)"/g)) fields.append(name, value)
  return fields
}

/** Leaves for the provider. Returns the address by which it sends the browser back. */
export async function atProvider(visitor: Browser, provider: { issuer: string; name: string }): Promise<string> {
  const left = await visitor.send({ method: 'GET', url: `/admin/sign-in/${provider.name}` })
  const back = await throughProvider(provider.issuer, String(left.headers.location))
  return `${back.pathname}${back.search}`
}

/** Signs in with the provider, follows all redirects and returns the last answer. */
export async function signInWith(visitor: Browser, provider: { issuer: string; name: string }) {
  const url = await atProvider(visitor, provider)
  // The browser comes from another site.
  return visitor.send({ method: 'GET', url, headers: { 'sec-fetch-site': 'cross-site' } })
}
