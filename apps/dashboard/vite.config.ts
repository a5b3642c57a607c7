import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { lucideIcons } from './icons.ts'

/** `npm run dev -w @subtext/dashboard` serves the sources and passes everything else on to `npm start`. */
const API = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), lucideIcons()],
  // The SDK from its sources.
  resolve: { conditions: ['subtext-source', ...defaultClientConditions] },
  build: { outDir: '../../dist-dashboard', emptyOutDir: true, reportCompressedSize: false, target: 'es2022' },
  server: { host: '127.0.0.1', proxy: { '/api': API, '/auth': API, '/docs': API } },
})
