import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import type { Schemas } from '../../api/client.ts'
import { useCollectionTexts } from '../../texts/collection-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import {
  type Definition,
  deleteEntry,
  type Entry,
  entriesQuery,
  type Place,
  placeKey,
  saveEntry,
} from './collection-requests.ts'

type CollectionPanelProps = PanelProps & { place: Place; definition: Definition }

type EntryPanelProps = CollectionPanelProps & {
  /** What an entry consists of. */
  parts: readonly Definition[]
  /** The one that is changed; undefined to add one. */
  entry: Entry | undefined
}

/** Adds an entry, or changes one. The values of secrets are written, but never shown. */
export function EntryPanel({ place, definition, parts, entry, ...panel }: EntryPanelProps) {
  const texts = useCollectionTexts()
  const { common } = useTexts()
  const { varId, dottedName } = definition
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [settled] = useDebouncedValue(typed, 250)
  const presentOf = (part: Definition) => entry?.values.find((one) => one.varId === part.varId)?.value ?? ''
  const isGiven = (part: Definition) => Boolean(typed[part.designation]) || part.defaultValue !== null
  return (
    <ReviewPanel<Schemas['VariableCollectionEntry']>
      {...panel}
      action={{
        title: entry ? dottedName : texts.addLabel(dottedName),
        label: common.save,
        requestKey: settled,
        isComplete: settled === typed && (entry ? Object.keys(typed).length > 0 : parts.every(isGiven)),
        form: (
          <Stack gap="sm">
            {parts.map((part) => {
              const { designation, isSecret, defaultValue } = part
              const Field = isSecret ? PasswordInput : TextInput
              const hint = entry ? isSecret && texts.keepsSecret : defaultValue !== null && texts.default(defaultValue)
              return (
                <Field
                  key={part.varId}
                  label={designation}
                  description={hint || undefined}
                  autoComplete={isSecret ? 'new-password' : 'off'}
                  value={typed[designation] ?? (isSecret ? '' : presentOf(part))}
                  onChange={({ currentTarget: { value } }) =>
                    setTyped((before) => withValue(before, designation, value, entry === undefined || isSecret))
                  }
                />
              )
            })}
          </Stack>
        ),
        send: (options) => saveEntry(place, varId, entry, typed, options),
        describe: ({ computers }) =>
          computers === undefined ? texts.sets(dottedName) : texts.setsFor(dottedName, computers),
        done: () => ({ text: texts.saved(dottedName) }),
        refreshes: [entriesQuery(place, varId).queryKey, placeKey(place)],
      }}
    />
  )
}

/** Without a value, a new entry gets the default, and a secret keeps what it has. */
function withValue(values: Record<string, string>, name: string, value: string, isOmittedIfEmpty: boolean) {
  const { [name]: _, ...others } = values
  return value === '' && isOmittedIfEmpty ? others : { ...others, [name]: value }
}

type DeleteEntryPanelProps = CollectionPanelProps & { entry: Entry; number: number }

export function DeleteEntryPanel({ place, definition, entry, number, ...panel }: DeleteEntryPanelProps) {
  const texts = useCollectionTexts()
  const { varId, dottedName } = definition
  return (
    <ReviewPanel<unknown>
      {...panel}
      action={{
        title: texts.removeLabel(dottedName, number),
        label: texts.remove,
        requestKey: entry.collectionId,
        send: (options) => deleteEntry(place, varId, entry, options),
        describe: ({ computers }) =>
          computers === undefined ? texts.sets(dottedName) : texts.setsFor(dottedName, computers),
        done: () => ({ text: texts.saved(dottedName) }),
        refreshes: [entriesQuery(place, varId).queryKey, placeKey(place)],
      }}
    />
  )
}
