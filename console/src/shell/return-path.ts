const storageKey = 'muster.return'
const firstPage = '/principals'

/** Stored per tab, because signing in with an identity provider leaves the console. */
export function rememberReturnPath({ pathname, search }: { pathname: string; search: string }): void {
  sessionStorage.setItem(storageKey, pathname + search)
}

export function takeReturnPath(): string {
  const path = sessionStorage.getItem(storageKey) ?? firstPage
  sessionStorage.removeItem(storageKey)
  return path === '/' ? firstPage : path
}
