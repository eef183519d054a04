import { Alert, Button, EmptyState, Group, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DataTable } from '../../components/data-table.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import { IconAlertTriangle } from '../../components/icons.ts'
import { SearchField } from '../../components/search-field.tsx'
import { Section } from '../../components/section.tsx'
import { useDesiredStateTexts } from '../../texts/desired-state-texts.ts'
import { useFormat } from '../../texts/format.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { ViewSwitch } from '../computer/view-switch.tsx'
import { usePlanColumns } from './plan-columns.tsx'
import { isBlocked, type Planned, type StateChange } from './state-requests.ts'

type Shown = 'all' | 'add' | 'change' | 'remove' | 'blocked'

/** A plan may have thousands of changes: so many are shown at first, and with each step. */
const step = 100

/** The plan: each change with its old and new values, what it affects, and what prevents it. */
export function PlanSection({ planned: { plan, read, rehearsal } }: { planned: Planned }) {
  const texts = useDesiredStateTexts()
  const format = useFormat()
  const blocked = plan.changes.filter(isBlocked).length
  if (plan.changes.length === 0)
    return (
      <Section title={texts.plan}>
        <EmptyState p="md" title={texts.noChanges} description={texts.noChangesHint} />
      </Section>
    )
  return (
    <Section title={texts.plan}>
      <Stack gap="md">
        <Figures>
          <Figure name={texts.actions.add}>{format.number(plan.added)}</Figure>
          <Figure name={texts.actions.change}>{format.number(plan.changed)}</Figure>
          <Figure name={texts.actions.remove} isBad={plan.removed > 0}>
            {format.number(plan.removed)}
          </Figure>
          <Figure name={texts.blocked} isBad={blocked > 0}>
            {format.number(blocked)}
          </Figure>
        </Figures>
        {blocked > 0 && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {texts.isBlocked(blocked)}
          </Alert>
        )}
        {plan.missingRoles.length > 0 && (
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
            {texts.missingRoles(plan.missingRoles.join(', '))}
          </Alert>
        )}
        {rehearsal && <Rehearsal {...rehearsal} />}
        <Changes changes={plan.changes} placesOf={read.places.ofObject} />
      </Stack>
    </Section>
  )
}

function Rehearsal({ applied, remaining, work }: NonNullable<Planned['rehearsal']>) {
  const texts = useDesiredStateTexts()
  return (
    <div>
      <Text size="sm">
        {remaining === 0 ? texts.rehearsed(applied) : texts.rehearsedPartly(applied, applied + remaining)}
      </Text>
      {work && work.length > 0 && (
        <List size="sm" c="dimmed">
          {work.map(({ group, computers, workItems }) => (
            <List.Item key={group} className="breakable">
              {texts.work(group, workItems, computers)}
            </List.Item>
          ))}
        </List>
      )}
    </div>
  )
}

type ChangesProps = { changes: readonly StateChange[]; placesOf: (section: string, name: string) => string[] }

function Changes({ changes, placesOf }: ChangesProps) {
  const texts = useDesiredStateTexts()
  const { common } = useTexts()
  const [shown, setShown] = useState<Shown>('all')
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(step)
  const columns = usePlanColumns(placesOf)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (change: StateChange) => {
    const text = `${change.name} ${textFor(texts.sections, change.section) ?? change.section}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const isShown = (change: StateChange) =>
    shown === 'all' || (shown === 'blocked' ? isBlocked(change) : change.action === shown)
  const found = changes.filter((change) => isShown(change) && matches(change))
  const offered = (['add', 'change', 'remove'] as const).filter((action) =>
    changes.some((one) => one.action === action),
  )
  const options = [
    { value: 'all', label: common.all },
    ...offered.map((action) => ({ value: action, label: texts.actions[action] })),
    ...(changes.some(isBlocked) ? [{ value: 'blocked', label: texts.blocked }] : []),
  ]
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end" gap="sm">
        <SearchField label={texts.search} placeholder={texts.searchHint} value={search} onSearch={setSearch} />
        {options.length > 2 && (
          <ViewSwitch
            label={texts.show}
            value={shown}
            options={options}
            onChange={(value) => setShown(value as Shown)}
          />
        )}
      </Group>
      <DataTable
        caption={texts.plan}
        columns={columns}
        rows={found.slice(0, limit)}
        rowKey={({ fingerprint }) => fingerprint}
        error={null}
        onRetry={() => undefined}
        empty={{ title: common.nothingFound, text: common.nothingFoundHint }}
        footer={
          found.length > limit && (
            <Group justify="center" p="sm">
              <Button variant="default" onClick={() => setLimit(limit + step)}>
                {texts.showMore(Math.min(step, found.length - limit), found.length - limit)}
              </Button>
            </Group>
          )
        }
      />
    </Stack>
  )
}
