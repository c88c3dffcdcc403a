import { standIn } from './app.mjs';

standIn('mock', process.env.MOCK_PORT);
