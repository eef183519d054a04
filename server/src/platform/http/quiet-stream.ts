import type { ServerResponse } from 'node:http'

/** An answer that stays open for hours and says little. What keeps it writes to its socket. */
export class QuietStream {
  readonly begin: (response: ServerResponse) => void

  constructor(begin: (response: ServerResponse) => void) {
    this.begin = begin
  }
}
