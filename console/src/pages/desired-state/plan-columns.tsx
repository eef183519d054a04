import { Text } from '@mantine/core'
import type { Column } from '../../components/data-table.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { useFormat } from '../../texts/format.ts'
import { textFor } from '../../texts/texts.tsx'
import classes from './desired-state.module.css'
import type { StateChange } from './state-requests.ts'

const actionKinds: Record<StateChange['action'], StatusKind> = { add: 'good', change: 'running', remove: 'bad' }

type PlacesOf = (section: string, name: string) => string[]

export function usePlanColumns(placesOf: PlacesOf): Column<StateChange>[] {
  const texts = useDesiredStateTexts()
  const format = useFormat()
  const { columns } = texts
  return [
    {
      id: 'action',
      title: columns.action,
      width: 110,
      cell: ({ action }) => <StatusBadge kind={actionKinds[action]}>{texts.actionOf[action]}</StatusBadge>,
    },
    {
      id: 'object',
      title: columns.object,
      cell: (change) => <ChangedObject change={change} places={placesOf(change.section, change.name)} />,
    },
    { id: 'fields', title: columns.fields, cell: (change) => <ChangedFields change={change} /> },
    {
      id: 'computers',
      title: columns.computers,
      width: 120,
      cell: ({ computers, members }) =>
        members ? texts.members(members.joining, members.leaving) : computers > 0 ? format.number(computers) : '–',
    },
  ]
}

function ChangedObject({ change: { section, name, blockers }, places }: { change: StateChange; places: string[] }) {
  const texts = useDesiredStateTexts()
  return (
    <div>
      <Text size="xs" c="dimmed">
        {textFor(texts.sections, section) ?? section}
      </Text>
      <Text size="sm" fw={600} className="breakable">
        {name}
      </Text>
      {places.length > 0 && (
        <Text size="xs" c="dimmed" ff="monospace" className="breakable">
          {places.join(', ')}
        </Text>
      )}
      {blockers.map((blocker) => (
        <Text key={blocker} size="sm" className={classes.blocker}>
          {texts.blockedBy(blocker)}
        </Text>
      ))}
    </div>
  )
}

/** Of what is new or removed, the values that it has; of what changes, the old and the new ones. */
function ChangedFields({ change: { action, fields } }: { change: StateChange }) {
  const texts = useDesiredStateTexts()
  if (fields.length === 0) return <>–</>
  return (
    <dl className={classes.fields}>
      {fields.map(({ field, before, after }) => (
        <div key={field} className={classes.field}>
          <dt>{field}</dt>
          <dd>{action === 'change' ? texts.fromTo(before ?? '–', after ?? '–') : (after ?? before ?? '–')}</dd>
        </div>
      ))}
    </dl>
  )
}
