const storageKey = 'muster.return'

/** Stored per tab, because signing in with an identity provider leaves the console. */
export function rememberReturnPath({ pathname, search }: { pathname: string; search: string }): void {
  sessionStorage.setItem(storageKey, pathname + search)
}

/** The page that was requested before the sign-in. Undefined if there was none. */
export function takeReturnPath(): string | undefined {
  const path = sessionStorage.getItem(storageKey) ?? undefined
  sessionStorage.removeItem(storageKey)
  return path
}
