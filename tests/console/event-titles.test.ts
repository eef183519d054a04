import { expect, test } from 'vitest'
import { deEventFeed } from '../../console/src/texts/de-event-feed.ts'
import { enEventFeed } from '../../console/src/texts/en-event-feed.ts'
import { eventTypes } from '../../server/src/features/events/event-types.ts'

test('the event feed has a title for every type of event, in both languages', () => {
  const types = eventTypes.map(({ type }) => type).sort()

  expect(Object.keys(enEventFeed.titles).sort()).toEqual(types)
  expect(Object.keys(deEventFeed.titles).sort()).toEqual(types)
})
