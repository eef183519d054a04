import { Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Versioned } from '../api/client.ts'
import { Loading } from '../components/loading.tsx'
import { ProblemAlert } from '../components/problem-view.tsx'
import { useTexts } from '../texts/texts.tsx'
import type { Answer } from './dry-run.ts'
import { OtherChanges } from './other-changes.tsx'
import { ReviewPanel } from './review-panel.tsx'
import type { RequestOptions, ReviewedAction } from './reviewed-action.ts'
import { type OtherChange, useEdited } from './use-edited.ts'
import type { PanelProps } from './use-panels.ts'

type EditReviewProps<T extends object, A> = PanelProps &
  Pick<ReviewedAction<A>, 'title' | 'describe' | 'details' | 'refreshes'> & {
    /** The newest version of what is edited, as the fields show it. Undefined until it is read. */
    version: Versioned<T> | undefined
    /** Its values as the page knows them, which the fields show until the version is read. */
    known?: T
    /** Why it could not be read. */
    error?: unknown
    /** The names of the fields for people: with them, the person is shown what others change. */
    labels: Record<string, string>
    /** Such a change in words. */
    inWords?: (change: OtherChange) => OtherChange
    fields: (values: T, type: (changes: Partial<T>) => void) => ReactNode
    /** Whether these values can be saved. Something must have been typed anyway. */
    isComplete?: (values: T, typed: Partial<T>) => boolean
    /** Also complete without anything typed. */
    isUntypedComplete?: (values: T) => boolean
    isSevere?: (values: T) => boolean
    send: (options: RequestOptions, edited: { values: T; typed: Partial<T> }) => Promise<Answer<A>>
    /** The button; "Save" unless given. */
    label?: string
    done?: ReviewedAction<A>['done']
  }

/**
 * Edits something that has a version. If somebody else changes it meanwhile, nothing is saved: the person keeps what is typed, sees
 * what has changed, and confirms again.
 */
export function EditReview<T extends object, A = unknown>(props: EditReviewProps<T, A>) {
  const {
    version,
    known,
    error,
    labels,
    inWords = same,
    fields,
    isOpen,
    onClose,
    title,
    describe,
    details,
    refreshes,
  } = props
  const { common } = useTexts()
  const { values, etag, typed, isChanged, others, type } = useEdited(version ?? (known && { value: known, etag: '' }))
  // The service reviews what is typed once typing pauses.
  const [settled] = useDebouncedValue(typed, 250)
  const isTyped = isChanged || (values !== undefined && (props.isUntypedComplete?.(values) ?? false))
  const canBeSaved = values !== undefined && version !== undefined && (props.isComplete?.(values, typed) ?? true)
  return (
    <ReviewPanel<A>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title,
        label: props.label ?? common.save,
        requestKey: { settled, etag },
        isComplete: canBeSaved && isTyped && settled === typed,
        isSevere: values !== undefined && (props.isSevere?.(values) ?? false),
        ...(etag && { etag }),
        form: values ? (
          <Stack gap="sm">
            <OtherChanges changes={others.map(inWords)} labels={labels} />
            {fields(values, type)}
          </Stack>
        ) : (
          <>
            <ProblemAlert error={error} />
            <Loading height={120} />
          </>
        ),
        // Nothing is sent before there is a version.
        send: (options) => props.send(options, { values: values as T, typed }),
        describe,
        ...(details && { details }),
        done: props.done ?? (() => ({ text: common.saved })),
        ...(refreshes && { refreshes }),
      }}
    />
  )
}

const same = (change: OtherChange) => change
