const storageKey = 'muster.return'
const firstPage = '/principals'

/** Kept in the tab, because signing in at an identity provider leaves these pages. */
export function rememberReturnPath({ pathname, search }: { pathname: string; search: string }): void {
  sessionStorage.setItem(storageKey, pathname + search)
}

export function takeReturnPath(): string {
  const path = sessionStorage.getItem(storageKey) ?? firstPage
  sessionStorage.removeItem(storageKey)
  return path === '/' ? firstPage : path
}
