import { Anchor, Code, Stack, Text } from '@mantine/core'
import { Facts } from '../../components/facts.tsx'
import { Moment } from '../../components/moment.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { useEventFeedTexts } from '../../texts/event-feed-texts.ts'
import { textFor } from '../../texts/texts.tsx'
import { EventSubject } from './event-list.tsx'
import type { ServiceEvent } from './events.ts'

type EventDrawerProps = {
  event: ServiceEvent | undefined
  onClose: () => void
  onFilter: (changes: { types?: string; after?: string }) => void
}

/** Everything that an event says. */
export function EventDrawer({ event, onClose, onFilter }: EventDrawerProps) {
  const texts = useEventFeedTexts()
  return (
    <SidePanel isOpen={event !== undefined} onClose={onClose} title={event && texts.eventTitle(event.position)}>
      {event && <Details event={event} onFilter={onFilter} />}
    </SidePanel>
  )
}

function Details({ event, onFilter }: { event: ServiceEvent } & Pick<EventDrawerProps, 'onFilter'>) {
  const texts = useEventFeedTexts()
  const { type, time, subject, position, data } = event
  return (
    <Stack>
      <Facts
        rows={[
          [texts.columns.time, <Moment key="time" at={time} />],
          [texts.columns.type, type],
          [texts.columns.event, textFor(texts.titles, type)],
          [texts.columns.about, <EventSubject key="about" event={event} />],
          [texts.subject, subject],
        ]}
      />
      <Text fw={600} size="sm">
        {texts.data}
      </Text>
      <Code block className="breakable" tabIndex={0} role="group" aria-label={texts.data}>
        {JSON.stringify(data, null, 2)}
      </Code>
      <Anchor component="button" type="button" fz="sm" ta="left" onClick={() => onFilter({ types: type })}>
        {texts.sameType}
      </Anchor>
      <Anchor
        component="button"
        type="button"
        fz="sm"
        ta="left"
        onClick={() => onFilter({ after: String(Number(position) - 1) })}
      >
        {texts.fromHere}
      </Anchor>
    </Stack>
  )
}
