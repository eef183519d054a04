import { visibleText } from '@muster/text'

/**
 * Copies what the page shows so that nobody pastes control characters into a terminal that they did not see. Browsers offer the
 * clipboard API only over TLS and on localhost; `execCommand` works everywhere.
 */
export async function copyText(value: string, field?: HTMLInputElement | null): Promise<boolean> {
  const text = visibleText(value)
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return field ? copySelected(field) : copyFromTemporaryField(text)
  }
}

function copySelected(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  field.select()
  return document.execCommand('copy')
}

function copyFromTemporaryField(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  // Inside the dialog, whose focus trap would take the selection away otherwise.
  const parent = document.activeElement?.closest('[role=dialog]') ?? document.body
  parent.append(field)
  const isCopied = copySelected(field)
  field.remove()
  return isCopied
}
