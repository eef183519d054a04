import { acceptedBreaks } from './released-api/accepted-breaks.ts'
import { findBreaksSinceRelease, writeReleased } from './released-api/released-documents.ts'

// Makes the current descriptions of the API those of the release. Run for each release: see CONTRIBUTING.md.

const isFirst = process.argv.includes('--first')
const today = new Date().toISOString().slice(0, 10)
const breaks = isFirst ? [] : await findBreaksSinceRelease(today)
const refused = breaks.filter((sentence) => !acceptedBreaks.has(sentence))
if (refused.length > 0) {
  console.error(['Programs that use the last release would fail:', ...refused].join('\n- '))
  process.exit(1)
}
for (const file of await writeReleased()) console.log(file)
if (acceptedBreaks.size > 0) console.log('Now empty server/tools/released-api/accepted-breaks.ts.')
