import { Anchor, Code, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import type { AuditEntry } from '../../api/client.ts'
import type { AuditSentence as Sentence } from '../../texts/audit-sentence.ts'
import { useAuditTexts } from '../../texts/audit-texts.ts'
import { deAuditSentences } from '../../texts/de-audit-sentences.ts'
import { enAuditSentences } from '../../texts/en-audit-sentences.ts'
import { type Language, useTranslation } from '../../texts/texts.tsx'
import { pageOf, type SentencePart, sentenceParts } from './sentence-parts.ts'

type NamedObject = AuditEntry['names'][number]

// Not among the other texts, which every page loads: only audit entries need these.
const sentencesOf: Record<Language, Record<string, Sentence>> = { en: enAuditSentences, de: deAuditSentences }

/** What happened, in words. An operation without a sentence is shown by its name. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { language } = useTranslation()
  const sentence = sentencesOf[language][entry.operation] ?? `{who}: ${entry.operation}`
  return (
    <Text size="sm" component="span" className="breakable">
      {sentenceParts(sentence, entry).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
        <Part key={at} part={part} />
      ))}
    </Text>
  )
}

function Part({ part }: { part: SentencePart }) {
  if ('text' in part) return <>{part.text}</>
  if ('who' in part) return <strong>{part.who}</strong>
  if ('value' in part) return <Code>{part.value}</Code>
  return <Objects objects={part.objects} />
}

const shownObjects = 3

function Objects({ objects }: { objects: NamedObject[] }) {
  const audit = useAuditTexts()
  const more = objects.length - shownObjects
  return (
    <>
      {objects.slice(0, shownObjects).map((object, at) => (
        <Fragment key={object.id}>
          {at > 0 && ', '}
          <NamedLink object={object} />
        </Fragment>
      ))}
      {more > 0 && ` ${audit.andMore(more)}`}
    </>
  )
}

function NamedLink({ object }: { object: NamedObject }) {
  const to = pageOf(object)
  if (!to) return <em title={object.name}>{object.name}</em>
  return (
    <Anchor component={Link} to={to} size="sm" underline="always" title={object.name}>
      {object.name}
    </Anchor>
  )
}
