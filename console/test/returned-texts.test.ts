import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('no component returns a text itself, which would not pass the functions that make it visible', () => {
  const source = join(import.meta.dirname, '../src')
  const textReturned =
    /^ {2}(?:if .*\) )?return (?!null$|undefined$)(?:['"`]|[\w.]+$|[^<(]+\? (?![^:]*[<(]).* : (?!.*[<(]).*$)/
  const components = globSync('**/*.tsx', { cwd: source }).flatMap((file) =>
    [...readFileSync(join(source, file), 'utf8').matchAll(/^(?:export )?function [A-Z]\w*[\s\S]*?^}/gm)].map(
      ([text]) => ({
        file,
        lines: text.split('\n'),
      }),
    ),
  )

  expect(components.length).toBeGreaterThan(300)
  expect(
    components.flatMap(({ file, lines }) =>
      lines.filter((line) => textReturned.test(line)).map((line) => `${file}: ${line}`),
    ),
  ).toEqual([])
})
