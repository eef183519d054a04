import { visibleText } from '@muster/text'
import type { Terminal } from '../terminal.ts'

/** The colours of `paint`. Nothing else that a terminal would obey passes. */
const ownColours = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:1|2|22|31|32|33|39)m)`)

/**
 * The terminal as commands use it: whatever a service, a provider or a computer has written, people see the characters instead
 * of their effect. What a program reads stays exact.
 */
export function visibleTerminal(terminal: Terminal): Terminal {
  const { ask, askSecret } = terminal
  const decoder = new TextDecoder()
  const toText = (content: string | Uint8Array) =>
    typeof content === 'string' ? content : decoder.decode(content, { stream: true })
  return {
    ...terminal,
    write: (content) => terminal.write(terminal.isTerminal ? visibleExceptColours(toText(content)) : content),
    note: (text) => terminal.note(visibleText(text)),
    redraw: (line) => terminal.redraw(visibleText(line)),
    ask: ask && ((question) => ask(visibleText(question))),
    askSecret: askSecret && ((question) => askSecret(visibleText(question))),
  }
}

const visibleExceptColours = (text: string) =>
  text
    .split(ownColours)
    .map((part) => (ownColours.test(part) ? part : visibleText(part)))
    .join('')
