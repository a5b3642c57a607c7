import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, addTestInfographic, completeTestJob } from '../testing/jobs.ts'

const api = useTestApi()
const OPTIONS = { summary_modes: ['tldr' as const], max_transcript_length: 1_000, include_comments: false }

test('links to the pictures of an account share its turns for links, which are not those of the account itself', async () => {
  const accounts: string[] = []
  api.context.drawInfographic = async (_infographic, _look, _format, { account }) => {
    accounts.push(account)
    return Buffer.alloc(0)
  }
  const key = await api.createKey()
  for (let made = 0; made < 2; made++) {
    const id = await acceptTestJob(api.context, key, { options: { ...OPTIONS, generate_infographic: true } })
    await completeTestJob(api.context, id)
    await addTestInfographic(api.context, id, true)
    const { body } = await supertest(api.app).get(`/api/v1/videos/result/${id}`).set('X-API-Key', key)
    const { pathname, search } = new URL(body.data.infographic_url)
    expect((await supertest(api.app).get(`${pathname}${search}`)).status).toBe(200)
    expect((await supertest(api.app).get(pathname).set('X-API-Key', key)).status).toBe(200)
  }
  const [link, own, otherLink, stillOwn] = accounts
  expect([link === otherLink, own === stillOwn, link === own]).toEqual([true, true, false])
})
