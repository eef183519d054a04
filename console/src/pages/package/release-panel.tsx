import { Text } from '@mantine/core'
import { useState } from 'react'
import { OtherChanges } from '../../actions/other-changes.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { type OtherChange, useEdited } from '../../actions/use-edited.ts'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import type { Package } from '../../api/packages.ts'
import { useTexts } from '../../texts/texts.tsx'

type ReleasePanelProps = PanelProps & { version: Versioned<Package> }

/**
 * Releases the package, or withdraws it: whichever the person chose, even if somebody else does the same meanwhile. The
 * version makes sure that only content that was seen is released.
 */
export function ReleasePanel({ version, ...panel }: ReleasePanelProps) {
  const { actions, page, release, released, notReleased } = useTexts().packages
  const { id, name, contentHash } = version.value
  const [operational] = useState(!version.value.operational)
  const { others, etag } = useEdited(version)
  const path = { id }
  const send = (body: { operational: boolean }, query = {}, header = {}) =>
    api.PUT('/api/packages/{id}/ready-to-install', { params: { path, query, header }, body })
  const inWords = ({ before, now, ...change }: OtherChange): OtherChange => {
    const words = (value: unknown) => {
      if (typeof value === 'boolean') return value ? released : notReleased
      return typeof value === 'string' ? shortHash(value) : value
    }
    return { ...change, before: words(before), now: words(now) }
  }
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: operational ? actions.releaseTitle(name) : actions.withdrawTitle(name),
        label: operational ? actions.release : actions.withdraw,
        requestKey: { id, operational, etag },
        ...(etag && { etag }),
        form: (
          <OtherChanges
            changes={others.map(inWords)}
            labels={{ operational: release, contentHash: page.contentHash }}
          />
        ),
        send: ({ query, headers }) => send({ operational }, query, headers),
        describe: ({ computers = 0 }) => (operational ? actions.releases(computers) : actions.withdraws(computers)),
        details: () =>
          operational && contentHash ? (
            <Text size="xs" c="dimmed">
              {actions.content(shortHash(contentHash))}
            </Text>
          ) : null,
        done: () => ({
          text: operational ? actions.released : actions.withdrawn,
          undo: {
            label: operational ? actions.undoRelease : actions.undoWithdraw,
            run: () => send({ operational: !operational }),
            done: operational ? actions.withdrawn : actions.released,
          },
        }),
        refreshes: [['package', id], ['packages']],
      }}
    />
  )
}

const shortHash = (hash: string) => hash.slice(0, 16)
