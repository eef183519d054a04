import { Alert, List } from '@mantine/core'
import { textFor, useTexts } from '../texts/texts.tsx'
import type { OtherChange } from './use-edited.ts'

type OtherChangesProps = {
  changes: readonly OtherChange[]
  /** The names of the fields for people. Other properties are left out. */
  labels: Record<string, string>
}

/** What somebody else has changed while the form was open. */
export function OtherChanges({ changes, labels }: OtherChangesProps) {
  const { actions } = useTexts()
  const named = changes.flatMap(({ name, ...change }) => {
    const label = textFor(labels, name)
    return label ? [{ label, ...change }] : []
  })
  if (named.length === 0) return null
  return (
    <Alert color="orange" role="alert" title={actions.changedByOthers}>
      <List size="sm">
        {named.map(({ label, before, now }) => (
          <List.Item key={label} className="breakable">
            {actions.changedField(label, shown(before, actions), shown(now, actions))}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function shown(value: unknown, words: { nothing: string; yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? words.nothing : text
}
