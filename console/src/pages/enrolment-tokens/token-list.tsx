import { Anchor, Badge, Button, Code } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { answerOf, api, type EnrolmentToken } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { Pager } from '../../components/pager.tsx'
import { PathText } from '../../components/path-text.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useTokenTexts } from '../../texts/token-texts.ts'
import { tokenState, tokensKey } from './tokens.ts'

const pageSize = 50

/** The enrolment tokens, newest first: a token that was just created is at the top. */
export function TokenList() {
  const tokens = useTokenTexts()
  const filters = useFilters([])
  const [revoked, setRevoked] = useState<EnrolmentToken>()
  const query = { skip: filters.skip, top: pageSize, descending: true }
  const list = useQuery({
    queryKey: [...tokensKey, query],
    queryFn: () => answerOf(api.GET('/api/enrolment-tokens', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <DataTable
        caption={tokens.title}
        columns={useColumns(setRevoked)}
        rows={list.data?.items}
        rowKey={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: tokens.emptyTitle, text: tokens.emptyText }}
        footer={
          <Pager
            label={tokens.title}
            skip={filters.skip}
            top={pageSize}
            total={list.data?.totalCount ?? 0}
            onSkip={filters.setSkip}
          />
        }
      />
      <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} />
    </>
  )
}

const colours = { active: 'green', usedUp: 'gray', expired: 'orange', revoked: 'red' } as const

function useColumns(onRevoke: (token: EnrolmentToken) => void): Column<EnrolmentToken>[] {
  const tokens = useTokenTexts()
  const { columns, states } = tokens
  return [
    { id: 'description', title: columns.description, cell: ({ description }) => description || tokens.nameless },
    {
      id: 'state',
      title: columns.state,
      width: 110,
      cell: (token) => <Badge color={colours[tokenState(token)]}>{states[tokenState(token)]}</Badge>,
    },
    { id: 'uses', title: columns.uses, width: 120, cell: ({ uses, maxUses }) => tokens.uses(uses, maxUses) },
    { id: 'group', title: columns.group, cell: (token) => <GroupCell {...token} /> },
    { id: 'created', title: columns.created, width: 150, cell: ({ createdAtUtc }) => <Moment at={createdAtUtc} /> },
    { id: 'expires', title: columns.expires, width: 150, cell: ({ expiresAtUtc }) => <Moment at={expiresAtUtc} /> },
    {
      id: 'actions',
      title: columns.actions,
      width: 110,
      cell: (token) =>
        token.revokedAtUtc === null && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${tokens.revoke}: ${token.description || tokens.nameless}`}
            onClick={() => onRevoke(token)}
          >
            {tokens.revoke}
          </Button>
        ),
    },
  ]
}

/** The names of the group and of its ancestors; its id if the person may not read groups. */
function GroupCell({ groupId, groupPath }: EnrolmentToken) {
  if (groupId === null) return <>–</>
  if (groupPath === null) return <Code>{groupId}</Code>
  return (
    <Anchor component={Link} to={`/groups/${groupId}`} size="sm">
      <PathText path={groupPath} />
    </Anchor>
  )
}

function RevokeDialog({ token, onClose }: { token: EnrolmentToken | undefined; onClose: () => void }) {
  const tokens = useTokenTexts()
  const queryClient = useQueryClient()
  const revoke = async () => {
    if (!token) return
    await api.DELETE('/api/enrolment-tokens/{id}', { params: { path: { id: token.id } } })
    await queryClient.invalidateQueries({ queryKey: tokensKey })
    notifications.show({ message: tokens.revoked })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={token !== undefined}
      title={tokens.revokeTitle(token?.description || tokens.nameless)}
      text={tokens.revokeText}
      confirmLabel={tokens.revoke}
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    />
  )
}
