import type { Browser } from './browser.ts'

/** Where `app.inject` says that it is. */
export const pages = 'http://localhost'

/** Follows the redirects at the provider, as a browser does with its cookies, until they lead away from it. */
export async function throughProvider(issuer: string, start: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let address = new URL(start)
  while (address.origin === issuer) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    address = new URL(location, address)
  }
  return address
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
