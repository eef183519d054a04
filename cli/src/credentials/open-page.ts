import { isSecureAddress } from '@muster/client'
import { CommandFailure } from '../errors.ts'
import type { Terminal } from '../terminal.ts'

/** An address that a provider has sent, if a browser may open it. Others could start programs or show files. */
export function parsePage(text: unknown): string {
  const page = typeof text === 'string' ? URL.parse(text) : null
  if (!page || !isSecureAddress(page))
    throw new CommandFailure(`The identity provider names a page that is not opened: ${text}`)
  return page.href
}

/** Opens a page in the browser of the person. */
export function openPage({ openBrowser }: Terminal, text: unknown): void {
  openBrowser(parsePage(text))
}
