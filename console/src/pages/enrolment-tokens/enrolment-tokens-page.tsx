import { Badge, Button, Code } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api, type EnrolmentToken } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IconPlus } from '../../components/icons.ts'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useTexts } from '../../texts/texts.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { QuarantinedAgents } from './quarantined-agents.tsx'
import { tokenState, tokensKey } from './tokens.ts'

const pageSize = 50

export function EnrolmentTokensPage() {
  const { tokens } = useTexts()
  const filters = useFilters([])
  const [isCreating, setIsCreating] = useState(false)
  const [revoked, setRevoked] = useState<EnrolmentToken>()
  const query = { skip: filters.skip, top: pageSize }
  const list = useQuery({
    queryKey: [...tokensKey, query],
    queryFn: () => answerOf(api.GET('/api/enrolment-tokens', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  const create = (
    <Button onClick={() => setIsCreating(true)} leftSection={<IconPlus size={16} aria-hidden />}>
      {tokens.create}
    </Button>
  )
  return (
    <Page
      title={tokens.title}
      intro={tokens.intro}
      actions={
        <>
          <RefreshButton {...list} />
          {create}
        </>
      }
    >
      <DataTable
        caption={tokens.title}
        columns={useColumns(setRevoked)}
        rows={list.data?.items}
        rowKey={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        empty={{ title: tokens.emptyTitle, text: tokens.emptyText }}
        footer={
          <Pager skip={filters.skip} top={pageSize} total={list.data?.totalCount ?? 0} onSkip={filters.setSkip} />
        }
      />
      <QuarantinedAgents />
      <NewTokenDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <RevokeDialog token={revoked} onClose={() => setRevoked(undefined)} />
    </Page>
  )
}

const colours = { active: 'green', usedUp: 'gray', expired: 'orange', revoked: 'red' } as const

function useColumns(onRevoke: (token: EnrolmentToken) => void): Column<EnrolmentToken>[] {
  const { tokens } = useTexts()
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
    { id: 'group', title: columns.group, width: 200, cell: ({ groupId }) => (groupId ? <Code>{groupId}</Code> : '–') },
    { id: 'created', title: columns.created, width: 170, cell: ({ createdAtUtc }) => <Moment at={createdAtUtc} /> },
    { id: 'expires', title: columns.expires, width: 170, cell: ({ expiresAtUtc }) => <Moment at={expiresAtUtc} /> },
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

function RevokeDialog({ token, onClose }: { token: EnrolmentToken | undefined; onClose: () => void }) {
  const { tokens } = useTexts()
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
