import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import { expect } from 'vitest'

/** Until the page has followed. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 0))

const isBusy = (element: Element) => element.matches(':disabled, [data-disabled], [data-loading]')

/** What a person does with the mouse: the press, which moves the focus, and the click. Waits for a button that is busy. */
export async function click(element: HTMLElement): Promise<void> {
  await waitFor(() => expect(isBusy(element)).toBe(false))
  if (fireEvent.mouseDown(element))
    element.closest<HTMLElement>('button, a[href], input, textarea, select, [tabindex]')?.focus()
  fireEvent.mouseUp(element)
  fireEvent.click(element)
  await turn()
}

/** Replaces the content of a field. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  field.focus()
  fireEvent.change(field, { target: { value: text } })
  await turn()
}

/** Presses a key, which a field, a dialog or a list may handle. */
export async function press(key: string, element: Element = document.activeElement ?? document.body): Promise<void> {
  fireEvent.keyDown(element, { key, code: key })
  fireEvent.keyUp(element, { key, code: key })
  await turn()
}

export const button = (place: HTMLElement, name: string | RegExp) => within(place).getByRole('button', { name })

export const isDisabled = (element: HTMLElement) => element.matches(':disabled, [aria-disabled=true]')

export const contentOf = (field: HTMLElement) => (field as HTMLInputElement).value

/** Chooses in a list of the browser itself. */
export async function select(field: HTMLElement, label: string): Promise<void> {
  const list = field as HTMLSelectElement
  list.selectedIndex = [...list.options].findIndex(({ textContent }) => textContent === label)
  fireEvent.change(list)
  await turn()
}

/** Opens a list of suggestions, types into it if asked to, and chooses one. */
export async function choose(field: HTMLElement, name: string | RegExp, typed?: string): Promise<void> {
  await click(field)
  if (typed !== undefined) await fill(field, typed)
  await click(await screen.findByRole('option', { name }))
}

export const gone = (element: Element) => waitFor(() => expect(element.isConnected).toBe(false))

export const dialog = (name: string | RegExp) => screen.findByRole('dialog', { name })

export const row = (name: RegExp) => screen.findByRole('row', { name })
