import { Button, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { GroupChoice } from '../../components/group-choice.tsx'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import type { PatchRule } from './policies.ts'

type Result = Schemas['PatchRulesRehearsal']

/** Says what rules would have approved, before they are stored. */
export function Rehearsal({ rules }: { rules: readonly PatchRule[] }) {
  const { rehearsal: texts } = usePatchPolicyTexts()
  const mayReadGroups = useHasRole('group.read')
  const [groupId, setGroupId] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const result = await answerOf(
        api.POST('/api/patch-policies/rehearsal', {
          body: { rules: [...rules], days: 90, ...(groupId !== '' && { groupId }) },
        }),
      )
      return { ...result, names: rules.map(({ name }) => name) }
    },
  })
  return (
    <Stack gap="sm" align="stretch">
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      {mayReadGroups && (
        <GroupChoice label={texts.group} placeholder={texts.allComputers} value={groupId} onChange={setGroupId} />
      )}
      <Button
        variant="default"
        loading={isPending}
        disabled={rules.some(({ name }) => name.trim() === '')}
        onClick={() => mutate()}
        style={{ alignSelf: 'flex-start' }}
      >
        {texts.start}
      </Button>
      <ProblemAlert error={error} />
      {data && <RehearsalResult result={data} names={data.names} />}
    </Stack>
  )
}

function RehearsalResult({ result, names }: { result: Result; names: readonly string[] }) {
  const { rehearsal: texts } = usePatchPolicyTexts()
  const days = useDayColumns()
  const patches = usePatchColumns(names)
  const { patchCount, computerCount, isEstimate, undecidedCount } = result
  const nameOf = (number: number) => names[number - 1] ?? ''
  return (
    <Stack gap="sm">
      <Text fw={600} role="status">
        {patchCount === 0 ? texts.none : texts.result(patchCount, computerCount, isEstimate)}
      </Text>
      <List size="sm">
        {result.rules.map(({ number, patchCount: count }) => (
          <List.Item key={number}>{texts.byRule(nameOf(number), count)}</List.Item>
        ))}
        {undecidedCount > 0 && <List.Item>{texts.undecided(undecidedCount)}</List.Item>}
      </List>
      {patchCount > 0 && (
        <>
          <Text fw={600}>{texts.days}</Text>
          <DataTable
            {...table}
            caption={texts.days}
            columns={days}
            rows={result.days.toReversed()}
            rowKey={({ day }) => day}
          />
          <Text fw={600}>{texts.last}</Text>
          <DataTable
            {...table}
            caption={texts.last}
            columns={patches}
            rows={result.patches}
            rowKey={({ patchId, productName }) => `${patchId} ${productName}`}
          />
        </>
      )}
    </Stack>
  )
}

const table = { error: undefined, onRetry: () => {}, empty: { title: '', text: '' } }

function useDayColumns(): Column<Result['days'][number]>[] {
  const { rehearsal: texts } = usePatchPolicyTexts()
  const format = useFormat()
  return [
    { id: 'day', title: texts.day, cell: ({ day }) => format.date(day) },
    { id: 'patches', title: texts.patches, cell: ({ patchCount }) => format.number(patchCount), isAtEnd: true },
    {
      id: 'computers',
      title: texts.computers,
      cell: ({ computerCount }) => format.number(computerCount),
      isAtEnd: true,
    },
    { id: 'lacking', title: texts.lacking, cell: ({ lackingCount }) => format.number(lackingCount), isAtEnd: true },
  ]
}

function usePatchColumns(names: readonly string[]): Column<Result['patches'][number]>[] {
  const { rehearsal: texts } = usePatchPolicyTexts()
  const format = useFormat()
  return [
    { id: 'patch', title: texts.patch, cell: ({ patchName }) => patchName },
    { id: 'product', title: texts.product, cell: ({ productName }) => productName },
    { id: 'rule', title: texts.rule, cell: ({ ruleNumber }) => names[ruleNumber - 1] },
    { id: 'approved', title: texts.approved, cell: ({ approvedUtc }) => format.date(approvedUtc.slice(0, 10)) },
  ]
}
