import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { useEventFeedTexts } from '../../texts/event-feed-texts.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { useEventWords } from '../computer/tabs/history/event-words.ts'
import type { ServiceEvent } from './events.ts'

type EventListProps = {
  /** Undefined while loading. */
  events: readonly ServiceEvent[] | undefined
  query: {
    error: unknown
    refetch: () => unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
  }
  onShow: (event: ServiceEvent) => void
  /** The text of the button that reads further events. */
  more: string
}

export function EventList({ events, query, onShow, more }: EventListProps) {
  const texts = useEventFeedTexts()
  return (
    <DataTable
      caption={texts.title}
      columns={useColumns(onShow)}
      rows={events}
      rowKey={({ id }) => id}
      error={query.error}
      onRetry={query.refetch}
      empty={{ title: texts.emptyTitle, text: texts.emptyText }}
      footer={
        query.hasNextPage && (
          <Group justify="center" p="sm">
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {more}
            </Button>
          </Group>
        )
      }
    />
  )
}

function useColumns(onShow: (event: ServiceEvent) => void): Column<ServiceEvent>[] {
  const { columns, details } = useEventFeedTexts()
  return [
    { id: 'time', title: columns.time, width: 190, cell: ({ time }) => <Moment at={time} /> },
    { id: 'event', title: columns.event, cell: (event) => <EventText event={event} /> },
    { id: 'about', title: columns.about, width: 240, cell: (event) => <EventSubject event={event} /> },
    {
      id: 'type',
      title: columns.type,
      width: 250,
      cell: (event) => (
        <Anchor
          component="button"
          type="button"
          fz="xs"
          ff="monospace"
          ta="left"
          className="breakable"
          aria-label={`${event.type}: ${details(event.position)}`}
          onClick={() => onShow(event)}
        >
          {event.type}
        </Anchor>
      ),
    },
    { id: 'position', title: columns.position, width: 110, cell: ({ position }) => position },
  ]
}

/** The event as a sentence; of a type without one, what happened and to what. */
function EventText({ event: { type, data } }: { event: ServiceEvent }) {
  const { titles } = useEventFeedTexts()
  const words = useEventWords()(type, data)
  const { text, details } =
    words.text === type ? { text: textFor(titles, type) ?? type, details: namesIn(data) } : words
  return (
    <div>
      <Text size="sm" className="breakable">
        {text}
      </Text>
      {details && (
        <Text size="xs" c="dimmed" className="breakable">
          {details}
        </Text>
      )}
    </div>
  )
}

/** What most events call the things that they are about. */
const namesIn = ({
  name,
  path,
  groupPath,
  packageName,
  packageVersion,
  patchName,
  principalName,
}: ServiceEvent['data']) =>
  [name, path, groupPath, packageName, packageVersion, patchName, principalName]
    .filter((value) => typeof value === 'string' && value !== '')
    .join(', ')

/** The computer of an event, or how many it covers. */
export function EventSubject({ event: { data, subject } }: { event: ServiceEvent }) {
  const { computers } = useEventFeedTexts()
  const { computer } = useTexts()
  const { computerId, computerName, computers: covered } = data
  if (typeof computerId === 'number')
    return (
      <Anchor component={Link} to={`/computers/${computerId}/history`} size="sm" className="breakable">
        {typeof computerName === 'string' ? computerName : `${computer.title} ${computerId}`}
      </Anchor>
    )
  if (typeof covered === 'number' && covered > 0) return computers(covered)
  return (
    <Text size="xs" c="dimmed" ff="monospace" className="breakable">
      {subject}
    </Text>
  )
}
