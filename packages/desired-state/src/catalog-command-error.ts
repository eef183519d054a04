import { visibleLines } from '@muster/text'

/** An error that the operator can fix. */
export class CatalogCommandError extends Error {
  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    super(visibleLines(lines), options)
  }
}
