import { Checkbox, Group, Select } from '@mantine/core'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { GroupFilter } from './group-filter.tsx'
import classes from './timeline.module.css'
import { TimelineSection } from './timeline-section.tsx'
import { endedStates, openStates, type TimelineQuery, timelineKinds, timelineStates } from './timeline-states.ts'

export function RolloutsPage() {
  const rollouts = useRolloutTexts()
  const { common } = useTexts()
  const filters = useFilters(['state', 'kind', 'group', 'computers', 'mine'], {
    ...{ state: timelineStates, kind: timelineKinds, computers: ['single'], mine: ['1'] },
  })
  const { state, kind, group, computers, mine } = filters.values
  const areSinglesListed = computers === 'single'
  useLive({ types: ['muster.rollout.*', 'muster.task.*', 'muster.work.*'], refreshes: [['tasks', 'timeline']] })
  const chosenState = timelineStates.find((name) => name === state)
  const chosenKind = timelineKinds.find((name) => name === kind)
  const query: Omit<TimelineQuery, 'state'> = {
    ...(chosenKind && { kind: [chosenKind] }),
    ...(group && { groupId: group }),
    ...(mine && { mine: true }),
    singleComputers: areSinglesListed,
  }
  const areSinglesGrouped = !areSinglesListed && chosenKind !== 'Rollout'
  const showing = areSinglesGrouped ? { onShowSingles: () => filters.set({ computers: 'single' }) } : {}
  const openOf = chosenState ? [chosenState] : openStates
  const endedOf = chosenState ? [chosenState] : endedStates
  const isOpen = (name: string) => openStates.some((open) => open === name)
  const noMatches = { title: common.nothingFound, text: common.nothingFoundHint }
  return (
    <Page title={rollouts.title} intro={rollouts.intro}>
      <TimelineFilters filters={filters} />
      {(!chosenState || isOpen(chosenState)) && (
        <TimelineSection
          title={rollouts.running}
          query={{ ...query, state: openOf }}
          {...showing}
          empty={filters.areSet ? noMatches : { title: rollouts.runningEmpty, text: rollouts.runningEmptyHint }}
          isPolled
        />
      )}
      {(!chosenState || !isOpen(chosenState)) && (
        <TimelineSection
          title={rollouts.ended}
          query={{ ...query, state: endedOf }}
          {...showing}
          empty={filters.areSet ? noMatches : { title: rollouts.endedEmpty, text: rollouts.endedEmptyHint }}
        />
      )}
    </Page>
  )
}

type TimelineFiltersProps = {
  filters: ReturnType<typeof useFilters<'state' | 'kind' | 'group' | 'computers' | 'mine'>>
}

function TimelineFilters({ filters }: TimelineFiltersProps) {
  const rollouts = useRolloutTexts()
  const { common } = useTexts()
  const { state, kind, group, computers, mine } = filters.values
  const mayReadGroups = useHasRole('group.read')
  return (
    <FilterBar filters={filters}>
      <Select
        label={rollouts.filters.state}
        placeholder={common.all}
        clearable
        data={timelineStates.map((value) => ({ value, label: rollouts.states[value] }))}
        value={state || null}
        onChange={(value) => filters.set({ state: value ?? '' })}
      />
      <Select
        label={rollouts.filters.kind}
        placeholder={common.all}
        clearable
        data={timelineKinds.map((value) => ({ value, label: rollouts.kinds[value] }))}
        value={kind || null}
        onChange={(value) => filters.set({ kind: value ?? '' })}
      />
      {mayReadGroups && <GroupFilter value={group} onChange={(id) => filters.set({ group: id })} />}
      <Group gap="md" mih={36} className={classes.switches ?? ''}>
        <Checkbox
          label={rollouts.filters.single}
          checked={computers !== ''}
          onChange={(event) => filters.set({ computers: event.currentTarget.checked ? 'single' : '' })}
        />
        <Checkbox
          label={rollouts.filters.mine}
          checked={mine !== ''}
          onChange={(event) => filters.set({ mine: event.currentTarget.checked ? '1' : '' })}
        />
      </Group>
    </FilterBar>
  )
}
