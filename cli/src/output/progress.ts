import { visibleLine } from '@muster/text'
import type { Terminal } from '../terminal.ts'
import { cutToWidth } from './display-width.ts'

export type ProgressCounts = { done: number; total: number; text: string }

const barWidth = 30

/** Shows progress: a bar that is drawn again on a terminal, otherwise one line for each change. */
export function progressOn(terminal: Terminal) {
  let lastLine = ''
  return {
    show({ done, total, text }: ProgressCounts): void {
      const line = `${formatShare(done, total)}  ${visibleLine(text)}`
      if (line === lastLine) return
      lastLine = line
      if (terminal.showsProgress) terminal.redraw(formatBar(done, total, line, terminal.width))
      else terminal.note(`${line}\n`)
    },
    /** Ends the line of the bar. */
    end(): void {
      if (terminal.showsProgress && lastLine !== '') terminal.note('\n')
      lastLine = ''
    },
  }
}

/** The bar and the text, cut to the width of the terminal. */
function formatBar(done: number, total: number, line: string, width: number): string {
  const share = total > 0 ? done / total : 0
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  return cutToWidth(`${bar}  ${line}`, Math.max(20, width - 1))
}

function formatShare(done: number, total: number): string {
  return total === 0 ? '0' : `${done}/${total} (${Math.floor((done / total) * 100)} %)`
}
