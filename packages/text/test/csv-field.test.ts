import { expect, test } from 'vitest'
import { csvField } from '../src/index.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['-2', "'-2"],
  ['@x', "'@x"],
  ['＝1', "'＝1"],
  [' =1', "' =1"],
  [';=1', '"\';=1"'],
  [',=1', '"\',=1"'],
  ['\t=1', '"\'\t=1"'],
  ['a;=1', '"a;=1"'],
  ['a "b"', '"a ""b"""'],
  ['two\nlines', '"two\nlines"'],
  ['pc-01', 'pc-01'],
])('%j is the field %j, which no spreadsheet evaluates', (text, field) => {
  expect(csvField(text)).toBe(field)
})
