import { Button, Group, TagsInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FilterBar } from '../../components/filter-bar.tsx'
import { IconPlayerPause, IconPlayerPlay } from '../../components/icons.ts'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useTyped } from '../../components/use-typed.ts'
import { useStreamState } from '../../live/use-stream-state.ts'
import { useEventFeedTexts } from '../../texts/event-feed-texts.ts'
import { EventDrawer } from './event-drawer.tsx'
import { EventList } from './event-list.tsx'
import type { ServiceEvent } from './events.ts'
import { useEventsFrom } from './use-events-from.ts'
import { useLiveEvents } from './use-live-events.ts'

const filterNames = ['types', 'after'] as const

/** The events of the service: those that happen, or those from a position. */
export function EventsPage() {
  const filters = useFilters(filterNames)
  const { types, after } = filters.values
  const [shown, setShown] = useState<ServiceEvent>()
  const props = { types, filters, onShow: setShown }
  return (
    <>
      {after === '' ? <LiveFeed {...props} /> : <FeedFrom {...props} after={after} />}
      <EventDrawer
        event={shown}
        onClose={() => setShown(undefined)}
        onFilter={(changes) => {
          filters.set(changes)
          setShown(undefined)
        }}
      />
    </>
  )
}

type FeedProps = {
  types: string
  filters: ReturnType<typeof useFilters<(typeof filterNames)[number]>>
  onShow: (event: ServiceEvent) => void
}

function LiveFeed({ types, filters, onShow }: FeedProps) {
  const texts = useEventFeedTexts()
  const [pausedAt, setPausedAt] = useState<number>()
  const feed = useLiveEvents(types, pausedAt)
  const isPaused = pausedAt !== undefined
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <>
          <FeedState isPaused={isPaused} waiting={feed.waiting} />
          <Button
            variant="default"
            leftSection={
              isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
            }
            onClick={() => setPausedAt(isPaused ? undefined : feed.newestPosition)}
          >
            {isPaused ? texts.resume : texts.pause}
          </Button>
        </>
      }
    >
      <EventFilters filters={filters} />
      <EventList events={feed.events} query={feed} onShow={onShow} more={texts.earlier} />
      {feed.searchedFrom !== undefined && feed.hasNextPage && (
        <Text size="xs" c="dimmed">
          {texts.searchedFrom(feed.searchedFrom + 1)}
        </Text>
      )}
    </Page>
  )
}

function FeedState({ isPaused, waiting }: { isPaused: boolean; waiting: number }) {
  const texts = useEventFeedTexts()
  const stream = useStreamState()
  const [kind, text] = isPaused
    ? (['warning', texts.paused(waiting)] as const)
    : stream === 'live'
      ? (['good', texts.live] as const)
      : (['neutral', texts.connecting] as const)
  return (
    <Group role="status">
      <StatusBadge kind={kind}>{text}</StatusBadge>
    </Group>
  )
}

function FeedFrom({ types, after, filters, onShow }: FeedProps & { after: string }) {
  const texts = useEventFeedTexts()
  const feed = useEventsFrom(types, after)
  return (
    <Page
      title={texts.title}
      intro={texts.fromIntro(after)}
      actions={<Button onClick={() => filters.set({ after: '' })}>{texts.toLive}</Button>}
    >
      <EventFilters filters={filters} />
      <EventList events={feed.events} query={feed} onShow={onShow} more={texts.later} />
    </Page>
  )
}

function EventFilters({ filters }: Pick<FeedProps, 'filters'>) {
  const texts = useEventFeedTexts()
  const { values, set } = filters
  const [after, setAfter] = useTyped(values.after, (text) => set({ after: text.replace(/\D/g, '').slice(0, 16) }))
  return (
    <FilterBar filters={filters}>
      <TagsInput
        label={texts.types}
        placeholder={values.types === '' ? texts.allTypes : ''}
        data={typesAndTopics(Object.keys(texts.titles))}
        value={values.types === '' ? [] : values.types.split(',')}
        onChange={(types) => set({ types: types.join(',') })}
        acceptValueOnBlur
        clearable
        miw={320}
        limit={50}
      />
      <TextInput
        label={texts.after}
        placeholder={texts.afterHint}
        inputMode="numeric"
        autoComplete="off"
        value={after}
        onChange={(event) => setAfter(event.currentTarget.value)}
      />
    </FilterBar>
  )
}

/** The beginnings of types that stand for all of them, such as `muster.computer.*`, and the types. */
function typesAndTopics(types: readonly string[]): string[] {
  const topics = new Set(types.map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`))
  return [...topics, ...types]
}
