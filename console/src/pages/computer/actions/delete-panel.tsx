import { List } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DeleteReview } from '../../../actions/delete-review.tsx'
import { api, versionOf } from '../../../api/client.ts'
import { useComputerRecordTexts } from '../../../texts/computer-record-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import type { ActionPanelProps } from './action-panel.ts'

/** Deletes the computer, unless somebody has changed it since the panel was opened. */
export function DeletePanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { actions } = useTexts().computer
  const { fields } = useComputerRecordTexts()
  const { id, hostname } = page.computer
  const path = { id }
  const versionKey = ['version of computer', id]
  const { data: version } = useQuery({
    queryKey: versionKey,
    queryFn: () => versionOf(api.GET('/api/computer/{id}', { params: { path } })),
    enabled: isOpen,
    gcTime: 0,
    // Not current by itself: the service compares what the person has seen.
    staleTime: Infinity,
  })
  return (
    <DeleteReview
      isOpen={isOpen}
      onClose={onClose}
      version={version}
      labels={fields}
      title={actions.delete.title(hostname)}
      label={actions.delete.label}
      send={({ uncounted: query, headers }) =>
        api.DELETE('/api/computer/{id}', { params: { path, query: { ...query, force: true }, header: headers } })
      }
      describe={() => actions.delete.describe(version?.value.hostname ?? hostname)}
      details={() =>
        page.groups.length > 0 && (
          <>
            {actions.delete.memberOf(page.groups.length)}
            <List size="sm">
              {page.groups.map(({ groupId, path }) => (
                <List.Item key={groupId}>{path}</List.Item>
              ))}
            </List>
          </>
        )
      }
      done={() => ({ text: actions.delete.done(hostname), to: '/computers' })}
      refreshes={[['computers'], ['overview'], versionKey, computerKey(id)]}
    />
  )
}
