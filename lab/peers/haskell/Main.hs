-- | The programs of the lab in Haskell: threads of GHC's runtime, with 'MVar' and 'Chan'.
module Main (main) where

import Control.Exception (throwIO, try)
import Data.List (intercalate)
import qualified Data.Map.Strict as Map
import Data.Version (showVersion)
import System.Environment (getArgs)
import System.Exit (ExitCode (..), exitWith)
import System.IO (hPutStrLn, stderr)
import System.Info (compilerVersion)

import Fanin (fanin)
import Measure (Args, Metrics, Problem (..), pair, render)
import Pingpong (pingpong)
import Pipeline (pipeline)
import Ring (ring)
import Skynet (skynet)
import Spawn (spawn)
import Startup (startup)
import Tasks (tasks)

experiments :: Map.Map String (Args -> IO Metrics)
experiments =
  Map.fromList
    [ ("spawn", spawn)
    , ("tasks", tasks)
    , ("ring", ring)
    , ("pipeline", pipeline)
    , ("pingpong", pingpong)
    , ("fanin", fanin)
    , ("skynet", skynet)
    , ("startup", startup)
    ]

main :: IO ()
main = do
  arguments <- getArgs
  result <- try $ case arguments of
    name : rest | Just experiment <- Map.lookup name experiments ->
      mapM pair rest >>= experiment . Map.fromList
    _ -> do
      let names = intercalate ", " (Map.keys experiments)
      throwIO (BadArgument ("say which experiment to run: " ++ names))
  case result of
    Right metrics ->
      putStrLn $
        "{\"metrics\":" ++ render metrics ++ ",\"runtime_version\":\"GHC "
          ++ showVersion compilerVersion ++ "\"}"
    Left (BadArgument sentence) -> leave 2 sentence
    Left (WrongResult sentence) -> leave 1 sentence

leave :: Int -> String -> IO ()
leave code sentence = do
  hPutStrLn stderr (sentence ++ ".")
  exitWith (ExitFailure code)
