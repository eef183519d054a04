import { List } from '@mantine/core'
import type { Readiness } from '../api/readiness.ts'
import { textFor, useTexts } from '../texts/texts.tsx'

/** One sentence for each check that does not pass. */
export function HealthFindings({ readiness }: { readiness: Readiness }) {
  const { health } = useTexts()
  const findings = readiness.checks.filter(({ status }) => status !== 'passed')
  // Several checks may find the same.
  const sentences = new Set(findings.map(({ code, detail }) => textFor(health.findings, code ?? '') ?? detail))
  return (
    <List size="sm">
      {[...sentences].map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  )
}
