import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { usePanels } from '../../../actions/use-panels.ts'
import type { components } from '../../../api/types.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { Moment } from '../../../components/moment.tsx'
import { SbomButton } from '../../../components/sbom-button.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useHasRole } from '../../../shell/session-context.ts'
import { useGroupRuleTexts } from '../../../texts/group-rule-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { GroupPageData } from '../group-queries.ts'
import { AddMembersPanel } from '../panels/add-members-panel.tsx'
import { RemoveMembersPanel } from '../panels/remove-members-panel.tsx'
import { membersQuery } from './members-query.ts'
import { RuleCard } from './rule-card.tsx'

type Computer = components['schemas']['FleetComputer']

const healthKinds = { Healthy: 'good', Warning: 'warning', Unreachable: 'bad' } as const

/** The computers that are direct members of the group. */
export function MembersTab({ page }: { page: GroupPageData }) {
  const { groups } = useTexts()
  if (!useHasRole('computer.read')) return <Text c="dimmed">{groups.needsRole('computer.read')}</Text>
  return <Members page={page} />
}

function Members({ page }: { page: GroupPageData }) {
  const { groups, common } = useTexts()
  const mayWrite = useHasRole('group.write') && (page.kind === 'System' || page.kind === 'Ordinary')
  const [params, setParams] = useSearchParams()
  const search = params.get('member') ?? ''
  const query = useInfiniteQuery(membersQuery(page.id, search))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { shown, open, onClose } = usePanels<'add' | 'remove'>()
  const rows = query.data?.pages.flatMap(({ items }) => items)
  const find = (text: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (text) after.set('member', text)
        else after.delete('member')
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <Stack gap="sm">
      <RuleCard page={page} mayWrite={mayWrite} />
      <Group justify="space-between" align="flex-end">
        <SearchField label={groups.searchMembers} placeholder={groups.memberHint} value={search} onSearch={find} />
        <Group gap="xs">
          <Anchor component={Link} size="sm" to={`/computers?groupId=${page.id}`}>
            {groups.asList}
          </Anchor>
          <SbomButton address={`/api/fleet/sbom?groupId=${page.id}`} />
          {mayWrite && (
            <Button variant="default" onClick={() => open('add', undefined)}>
              {groups.addMembers}
            </Button>
          )}
          {mayWrite && chosen.size > 0 && (
            <Button variant="light" color="red" onClick={() => open('remove', undefined)}>
              {groups.removeMembers(chosen.size)}
            </Button>
          )}
        </Group>
      </Group>
      <DataTable
        caption={groups.tabs.members}
        columns={useColumns(page, mayWrite, chosen, setChosen)}
        rows={rows}
        rowKey={({ id }) => id}
        error={query.error}
        onRetry={query.refetch}
        empty={
          search
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: groups.noMembers, text: groups.noMembersHint }
        }
        footer={<LoadMore query={query} />}
      />
      {shown?.name === 'add' && (
        <AddMembersPanel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />
      )}
      {shown?.name === 'remove' && (
        <RemoveMembersPanel
          key={shown.number}
          page={page}
          computerIds={[...chosen]}
          onRemoved={() => setChosen(new Set())}
          isOpen={shown.isOpen}
          onClose={onClose}
        />
      )}
    </Stack>
  )
}

function useColumns(
  page: GroupPageData,
  mayWrite: boolean,
  chosen: ReadonlySet<number>,
  onChoose: (chosen: ReadonlySet<number>) => void,
): Column<Computer>[] {
  const { groups } = useTexts()
  const { columns } = groups
  const ruleTexts = useGroupRuleTexts()
  const toggle = (id: number) => {
    const after = new Set(chosen)
    if (!after.delete(id)) after.add(id)
    onChoose(after)
  }
  const choice: Column<Computer> = {
    id: 'choice',
    title: groups.choice,
    width: 72,
    cell: ({ id, hostname }) => (
      <Checkbox aria-label={groups.chooseMember(hostname)} checked={chosen.has(id)} onChange={() => toggle(id)} />
    ),
  }
  const author: Column<Computer> = {
    id: 'author',
    title: ruleTexts.author,
    width: 130,
    cell: (computer) =>
      computer.groups.some(({ groupId, isByRule }) => groupId === page.id && isByRule)
        ? ruleTexts.byRule
        : ruleTexts.byHand,
  }
  return [
    ...(mayWrite ? [choice] : []),
    {
      id: 'name',
      title: columns.computer,
      cell: ({ id, hostname }) => (
        <Anchor component={Link} to={`/computers/${id}`} size="sm">
          {hostname}
        </Anchor>
      ),
    },
    {
      id: 'health',
      title: columns.health,
      width: 140,
      cell: ({ healthStatus }) => (
        <StatusBadge kind={healthKinds[healthStatus]}>{groups.health[healthStatus]}</StatusBadge>
      ),
    },
    ...(page.rule.criteria ? [author] : []),
    { id: 'system', title: columns.system, cell: ({ operatingSystem }) => operatingSystem ?? '–' },
    {
      id: 'seen',
      title: columns.lastSeen,
      width: 165,
      cell: ({ lastSeenUtc }) => (lastSeenUtc ? <Moment at={lastSeenUtc} /> : groups.neverSeen),
    },
  ]
}
